internal import Foundation
internal import SystemPackage
internal import ZoomPipeline

/// Turns the user's files and folders into pictures to measure.
enum PictureFinder {
  /// A named file must be a picture; in a folder, at any depth, whatever is none is passed over.
  static func find(
    _ arguments: [String], _ limits: PictureLimits = .standard
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
        _ = try Picture(FilePath(argument), limits: limits)
        let path = FilePath(argument).lexicallyNormalized()
        add([BenchPlan.Subject(name: path.string, path: path)])
        continue
      }
      let found = files.filter { (try? Picture($0, limits: limits)) != nil }
        .map { BenchPlan.Subject(name: $0.string, path: $0) }
      guard !found.isEmpty else {
        throw Failure(.noInput, "\(argument): no picture is in this folder (name another)")
      }
      add(found)
    }
    return subjects
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
