import Foundation
import Subprocess
import SystemPackage
import Testing

struct CommandRun {
  let status: TerminationStatus
  let output: String
  /// The text on stderr without progress.
  let errors: String
  /// The lines of progress, which start with the elapsed seconds.
  let progress: [String]

  init(status: TerminationStatus, output: String, messages: String) {
    self.status = status
    self.output = output
    let lines = messages.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    func isProgress(_ line: String) -> Bool { line.prefixMatch(of: #/\[ *\d+ s\] /#) != nil }
    progress = lines.filter(isProgress)
    errors = lines.filter { !isProgress($0) }.joined(separator: "\n")
  }

  var code: Int32? { if case .exited(let code) = status { code } else { nil } }

  /// The lines of stderr, without an empty last one.
  var errorLines: [String] {
    errors.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
  }
}

extension TestFolder {
  /// Returns the command built with these tests, which is in the folder of the test bundle.
  static func executable() throws -> FilePath {
    let bundles = [Bundle.main] + Bundle.allBundles
    let folders = bundles.map { FilePath($0.bundlePath) }
    let candidates = (folders + folders.map { $0.removingLastComponent() })
      .map { $0.appending("zoombench") }
    return try #require(
      candidates.first { candidate in
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: candidate.string, isDirectory: &isFolder)
          && !isFolder.boolValue
      }, "no zoombench stands beside the test bundle")
  }

  /// Returns variables that keep a run inside the folder, whatever the tests' own environment.
  func environment(_ more: [Environment.Key: String?] = [:]) -> Environment {
    Environment.inherit
      .updating(["TMPDIR": temporary.string, "ZOOMBENCH_CORPUS": nil]).updating(more)
  }

  func zoombench(
    _ arguments: [String], environment more: [Environment.Key: String?] = [:]
  ) async throws -> CommandRun {
    let result = try await Subprocess.run(
      .path(try Self.executable()), arguments: Arguments(arguments),
      environment: environment(more), workingDirectory: path,
      output: .string(limit: 16 << 20), error: .string(limit: 1 << 20))
    return CommandRun(
      status: result.terminationStatus, output: result.standardOutput,
      messages: result.standardError)
  }

  func zoombench(_ arguments: String...) async throws -> CommandRun {
    try await zoombench(arguments)
  }
}
