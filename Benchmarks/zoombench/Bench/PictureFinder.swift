internal import Foundation
internal import SystemPackage
internal import ZoomPipeline

/// Turns the user's files and folders into pictures to measure.
enum PictureFinder {
  /// A named file must be a picture; in a folder, at any depth, whatever is none is passed over.
  static func find(_ arguments: [String]) throws -> [BenchPlan.Subject] {
    var subjects: [BenchPlan.Subject] = []
    // The same name twice would be one row shown twice.
    func add(_ found: [BenchPlan.Subject]) {
      for subject in found where !subjects.contains(where: { $0.name == subject.name }) {
        subjects.append(subject)
      }
    }
    for argument in arguments {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder)
      guard exists, isFolder.boolValue else {
        _ = try Picture(FilePath(argument))
        let path = FilePath(argument).lexicallyNormalized()
        add([BenchPlan.Subject(name: path.string, path: path)])
        continue
      }
      let found = pictures(below: argument)
      guard !found.isEmpty else {
        throw Failure(.noInput, "\(argument): no picture is in this folder (name another)")
      }
      add(found)
    }
    return subjects
  }

  private static func pictures(below folder: String) -> [BenchPlan.Subject] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.sorted().filter { name in
      !name.split(separator: "/").contains { $0.hasPrefix(".") }
    }.compactMap { name in
      let path = FilePath(folder).appending(name).lexicallyNormalized()
      guard (try? Picture(path)) != nil else { return nil }
      return BenchPlan.Subject(name: path.string, path: path)
    }
  }
}
