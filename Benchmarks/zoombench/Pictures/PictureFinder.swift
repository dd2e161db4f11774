internal import Foundation
internal import SystemPackage
internal import ZoomPipeline

/// Turns the user's files and folders into pictures to measure.
enum PictureFinder {
  /// Finds the pictures that arguments name.
  ///
  /// A named file must be a picture. If `opensNamed` is false it need only exist, because a run over
  /// several pictures reports what is wrong with one. In a folder, at any depth, files that are no
  /// pictures are skipped. A file with a picture's suffix that cannot be opened is found and reported.
  static func find(
    _ arguments: [String], _ limits: PictureLimits = .standard, opensNamed: Bool = true
  ) throws -> [BenchPlan.Subject] {
    var subjects: [BenchPlan.Subject] = []
    // The same name twice would be one row shown twice.
    var names = Set<String>()
    func add(_ found: [BenchPlan.Subject]) {
      for subject in found where names.insert(subject.name).inserted { subjects.append(subject) }
    }
    for argument in arguments {
      guard let files = files(below: argument) else {
        if opensNamed {
          _ = try Picture(FilePath(argument), limits: limits)
        } else {
          _ = try FileVersion(of: FilePath(argument))
        }
        let path = FilePath(argument).lexicallyNormalized()
        add([BenchPlan.Subject(name: path.string, path: path)])
        continue
      }
      let found = files.filter { isNamedAsPicture($0) || (try? Picture($0, limits: limits)) != nil }
        .map { BenchPlan.Subject(name: $0.string, path: $0) }
      guard !found.isEmpty else {
        throw Failure(.noInput, "\(argument): the folder has no picture (name another)")
      }
      add(found)
    }
    return subjects
  }

  /// Whether a name ends as those of formats do whose loaders are trusted.
  private static func isNamedAsPicture(_ file: FilePath) -> Bool {
    [
      "jpg", "jpeg", "jpe", "jfif", "png", "tif", "tiff", "webp", "gif", "heic", "heif", "avif",
    ].contains(file.extension?.lowercased())
  }

  /// The files in a folder at any depth in the order of their names, hidden ones left out; nil for what is
  /// no folder.
  static func files(below folder: String) -> [FilePath]? {
    guard FilePath.isFolder(folder) else { return nil }
    var names: [String] = []
    walk(FilePath(folder).lexicallyNormalized().string, into: &names)
    return names.sorted().map { FilePath($0) }
  }

  /// Adds the files below a folder; links to folders are not followed, which could lead round in circles.
  ///
  /// By `readdir`, which says of most entries what they are: Foundation's enumerator takes three times as
  /// long over 100,000 files.
  private static func walk(_ folder: String, into names: inout [String]) {
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    let prefix = folder.hasSuffix("/") ? folder : folder == "." ? "" : folder + "/"
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee))
        {
          String(cString: $0)
        }
      }
      if name.hasPrefix(".") { continue }
      let path = prefix + name
      switch Int(entry.pointee.d_type) {
      case Int(DT_REG): names.append(path)
      case Int(DT_DIR): walk(path, into: &names)
      case Int(DT_UNKNOWN) where isFolderItself(path): walk(path, into: &names)
      default: if (try? FileVersion(of: FilePath(path))) != nil { names.append(path) }
      }
    }
  }

  private static func isFolderItself(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
