internal import SystemPackage
internal import ZoomPipeline

/// Turns the user's files and folders into pictures to measure.
enum PictureFinder {
  /// Finds the pictures that arguments name.
  ///
  /// A named file must be a picture. If `opensNamed` is false it need only exist, because a run over
  /// several pictures reports what is wrong with one. In a folder, at any depth, files that are not
  /// pictures are skipped. A file with a picture's suffix that cannot be opened is found and reported.
  static func find(
    _ arguments: [String], _ limits: PictureLimits = .standard, opensNamed: Bool = true
  ) throws -> [BenchPlan.Subject] {
    try files(
      arguments, called: "picture",
      checkingNamed: { path in
        if opensNamed {
          _ = try Picture(path, limits: limits)
        } else {
          _ = try FileVersion(of: path)
        }
      },
      inFolders: { isNamedAsPicture($0) || (try? Picture($0, limits: limits)) != nil }
    ).map { BenchPlan.Subject(name: $0.text, path: $0) }
  }

  /// Whether a name ends as those of formats do whose loaders are trusted.
  private static func isNamedAsPicture(_ file: FilePath) -> Bool {
    [
      "jpg", "jpeg", "jpe", "jfif", "png", "tif", "tiff", "webp", "gif", "heic", "heif", "avif",
    ].contains(file.extension?.lowercased())
  }

  /// Finds the files that arguments name, and in folders those that are wanted.
  ///
  /// A file counts once, whatever names and links lead to it: under the first name that was given, and in
  /// a folder under its own name before that of a link. A subfolder that cannot be read is returned among
  /// the files, so that whoever opens them reports it.
  ///
  /// - Parameters:
  ///   - arguments: files and folders.
  ///   - kind: what is looked for, in a message.
  ///   - check: throws for a named file that is of no use.
  ///   - isWanted: whether a file in a folder is one to return.
  /// - Returns: paths without ".", in the order of the arguments.
  /// - Throws: `Failure` for a folder that cannot be read, or has no wanted file.
  static func files(
    _ arguments: [String], called kind: String, checkingNamed check: (FilePath) throws -> Void,
    inFolders isWanted: (FilePath) -> Bool
  ) throws -> [FilePath] {
    var seen = Set<FileIdentity>()
    var found: [FilePath] = []
    for argument in arguments {
      guard FilePath.isFolder(argument) else {
        // Checked as it was named: without its dots, a file's name with "/." would lead to the file.
        try check(FilePath(argument))
        let path = FilePath(argument).withoutDots
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
