internal import Foundation
internal import SystemPackage

/// What the user named to be compared: a revision, an executable or a result file.
enum CompareArm: Hashable {
  case revision(String)
  case workingTree
  case executable(FilePath)
  case result(FilePath)

  /// Tells the kinds apart: what is there as a file is a file, all else a revision.
  ///
  /// - Throws: `Failure` for a file that is neither an executable nor JSON.
  init(_ argument: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder) else {
      // A revision may hold slashes (origin/main), but it neither begins so nor ends in .json.
      if argument.hasPrefix("/") || argument.hasPrefix("./") || argument.hasSuffix(".json") {
        throw Failure(.noInput, "\(argument): compare: no such file (check the name)")
      }
      self = .revision(argument)
      return
    }
    if isFolder.boolValue {
      guard argument == "." else {
        // A branch may be named like a folder: git decides.
        self = .revision(argument)
        return
      }
      self = .workingTree
    } else if FileManager.default.isExecutableFile(atPath: argument) {
      self = .executable(.absolute(argument))
    } else {
      self = .result(FilePath(argument))
    }
  }

  /// As the user wrote it.
  var name: String {
    switch self {
    case .revision(let name): name
    case .workingTree: "working tree"
    case .executable(let path), .result(let path): path.string
    }
  }

  var isResult: Bool {
    if case .result = self { true } else { false }
  }
}
