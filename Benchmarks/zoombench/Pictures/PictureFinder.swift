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
    func add(_ found: [BenchPlan.Subject]) {
      for subject in found where !subjects.contains(where: { $0.name == subject.name }) {
        subjects.append(subject)
      }
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

  /// The files in a folder at any depth, hidden ones left out; nil for what is no folder.
  static func files(below folder: String) -> [FilePath]? {
    guard FilePath.isFolder(folder) else { return nil }
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.sorted().filter { name in
      !name.split(separator: "/").contains { $0.hasPrefix(".") }
    }.map { FilePath(folder).appending($0).lexicallyNormalized() }
      .filter { (try? FileVersion(of: $0)) != nil }
  }
}
