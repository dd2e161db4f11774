internal import ArgumentParser
internal import ForeignPipelines
internal import Foundation
internal import SystemPackage

/// What the user named to be compared: a revision, an executable or another program's pipeline.
enum CompareArm: Hashable {
  case revision(String)
  case workingTree
  case executable(FilePath)
  /// As `--pipeline` has it elsewhere.
  case pipeline(String)

  /// Tells the kinds apart: a name of an existing file is that file, NAME=KIND:WHAT a pipeline, any other name a revision.
  ///
  /// - Throws: `Failure` for a file that does not exist, `ValidationError` for one that cannot run.
  init(_ argument: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder) else {
      // A revision may hold slashes (origin/main), but it neither begins so nor ends in .json.
      if argument.hasPrefix("/") || argument.hasPrefix("./") || argument.hasSuffix(".json") {
        throw Failure(.noInput, "\(argument): compare: no such file (check the name)")
      }
      self = try Self.isPipeline(argument) ? .pipeline(argument) : .revision(argument)
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
      throw ValidationError(
        "\(argument): compare: it is neither an executable nor a revision (name a revision or an "
          + "executable; results of earlier runs are compared by zoombench history)")
    }
  }

  /// Whether it is NAME=KIND:WHAT, which no revision is: their names have no colon.
  private static func isPipeline(_ argument: String) throws -> Bool {
    guard let sign = argument.firstIndex(of: "="), argument[sign...].contains(":") else {
      return false
    }
    let pipeline: ForeignPipeline
    do { pipeline = try ForeignPipeline(argument) } catch {
      throw ValidationError("compare: \(error)")
    }
    try pipeline.assertInstalled()
    return true
  }

  /// As the user wrote it.
  var name: String {
    switch self {
    case .revision(let name): name
    case .workingTree: "working tree"
    case .executable(let path): path.string
    case .pipeline(let description): description
    }
  }
}
