import Foundation
import Measurement
import SystemPackage
import Testing

@testable import zoombench

/// A copy of the conformance set, and the script in it.
enum ConformanceScript {
  /// Whether the machine can run the set's script.
  static let hasPython: Bool = {
    let command = WorkerCommand(
      label: "python3", executable: "/usr/bin/env",
      arguments: ["python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))"])
    return (try? ChildProcess.run(command))?.0 == .exited(status: 0)
  }()

  /// The set, made once.
  private static let made = Task {
    let folder = try TestFolder()
    let run = try await folder.zoombench("conformance", "set")
    try #require(run.code == 0, "\(run.errors)")
    return folder
  }

  static func folderWithSet() async throws -> TestFolder {
    let folder = try TestFolder()
    try FileManager.default.copyItem(
      atPath: try await made.value.file("set").string, toPath: folder.file("set").string)
    return folder
  }

  static func python(_ arguments: [String], in folder: TestFolder) async throws -> CommandRun {
    var command = WorkerCommand(
      label: "python3", executable: "/usr/bin/env", arguments: ["python3", "-B"] + arguments)
    command.folder = folder.path.string
    return try await CommandRun.of(command)
  }
}
