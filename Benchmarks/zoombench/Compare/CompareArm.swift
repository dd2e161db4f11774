internal import ArgumentParser
internal import ForeignPipelines
internal import Foundation
internal import SystemPackage

/// An argument of `compare`: a revision, an executable or another program's pipeline.
enum CompareArm: Hashable {
  case revision(String)
  case workingTree
  case executable(FilePath)
  /// In the syntax of `--pipeline`.
  case pipeline(String)

  /// Parses an argument: an existing file is an executable, NAME=KIND:WHAT a pipeline, other names are
  /// revisions.
  ///
  /// - Throws: `Failure` for a file that does not exist, `ValidationError` for one that cannot run.
  init(_ argument: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder) else {
      // A revision may contain slashes (origin/main), but does not start like this or end in .json.
      if argument.hasPrefix("/") || argument.hasPrefix("./") || argument.hasSuffix(".json") {
        throw Failure(.noInput, "\(argument): compare: no such file (check the name)")
      }
      self = try Self.isPipeline(argument) ? .pipeline(argument) : .revision(argument)
      return
    }
    if isFolder.boolValue {
      guard argument == "." else {
        // A branch may have the same name as a folder; git decides.
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

  /// Whether the argument is NAME=KIND:WHAT; names of revisions contain no colon.
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

  var name: String {
    switch self {
    case .revision(let name): name
    case .workingTree: "working tree"
    case .executable(let path): path.string
    case .pipeline(let description): description
    }
  }
}
