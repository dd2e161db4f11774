internal import SystemPackage
internal import ZoomPipeline

enum PictureFinder {
  /// Finds the pictures that arguments name.
  ///
  /// A named file must be a picture. If `opensNamed` is false, it need only exist, because a run over
  /// several pictures reports the defects of each. In a folder, at any depth, files that are not pictures
  /// are skipped. A file with a picture's suffix that cannot be opened is returned, so that it is reported.
  static func find(
    _ arguments: [String], _ limits: PictureLimits = .standard, opensNamed: Bool = true
  ) throws -> [NamedPicture] {
    try files(
      arguments, called: "picture",
      checkingNamed: { path in
        if opensNamed {
          _ = try Picture(path, limits: limits)
        } else {
          try assertExists(path)
        }
      },
      inFolders: { isNamedAsPicture($0) || (try? Picture($0, limits: limits)) != nil }
    ).map { NamedPicture($0) }
  }

  /// Throws if there is no such file; a server is asked only when its file is opened.
  static func assertExists(_ path: FilePath) throws(PipelineError) {
    if !RemoteAddress.isName(path) { _ = try FileVersion(of: path) }
  }

  /// Whether the suffix belongs to a format with a trusted loader.
  private static func isNamedAsPicture(_ file: FilePath) -> Bool {
    [
      "jpg", "jpeg", "jpe", "jfif", "png", "tif", "tiff", "webp", "gif", "heic", "heif", "avif",
    ].contains(file.extension?.lowercased())
  }

  /// Finds the files that arguments name, and the wanted ones in named folders.
  ///
  /// A file is returned once, even if several names and links refer to it: under its first name in the
  /// arguments, or in a folder, under its own name instead of a link's. An unreadable subfolder is returned
  /// as a file, so that opening it reports the error. `kind` is for messages; `check` throws for an
  /// unusable named file.
  ///
  /// - Returns: paths of files without ".", in the order of the arguments.
  /// - Throws: `Failure` for an unreadable folder, or one without a wanted file.
  static func files(
    _ arguments: [String], called kind: String, checkingNamed check: (FilePath) throws -> Void,
    inFolders isWanted: (FilePath) -> Bool
  ) throws -> [FilePath] {
    var seen = Set<FileIdentity>()
    var found: [FilePath] = []
    for argument in arguments {
      guard FilePath.isFolder(argument) else {
        // The original name is checked: without its dots, FILE/. would refer to the file.
        try check(FilePath(argument))
        let named = FilePath(argument)
        // The dots of an address belong to its name.
        let path = RemoteAddress.isName(named) ? named : named.withoutDots
        if seen.insert(FileIdentity(path)).inserted { found.append(path) }
        continue
      }
      let folder = FilePath(argument).withoutDots
      let walk = FolderWalk(folder)
      if let failed = walk.unreadable.first, failed.path == folder {
        throw Failure(
          .noInput, "\(argument): list the folder: \(failed.reason) (check its permissions)")
      }
      let wanted = walk.files.filter { isWanted($0.path) }
      let shut = walk.unreadable.map(\.path)
      guard !wanted.isEmpty || !shut.isEmpty else {
        throw Failure(.noInput, "\(argument): the folder has no \(kind) (name another)")
      }
      let own = (wanted.filter { !$0.isLink } + wanted.filter(\.isLink))
        .filter { seen.insert($0.identity).inserted }.map(\.path)
      let new = own + shut.filter { seen.insert(.name($0)).inserted }
      found += new.sorted { $0.string < $1.string }
    }
    return found
  }
}
