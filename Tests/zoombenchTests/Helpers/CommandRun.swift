import Foundation
import Measurement
import SystemPackage
import Testing

@testable import zoombench

struct CommandRun {
  let status: WorkerError.Ending
  let output: String
  /// The text on stderr without progress.
  let errors: String
  /// The lines of progress, which start with the elapsed seconds.
  let progress: [String]

  // Budgets and time limits mean nothing if hundreds of commands share two cores. No test needs more than two
  // commands at a time.
  private static let free = DispatchSemaphore(
    value: max(4, 3 * ProcessInfo.processInfo.activeProcessorCount))

  /// Runs a command and waits in a new thread, so that no thread of the pool is occupied.
  static func of(_ command: WorkerCommand) async throws -> CommandRun {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        free.wait()
        defer { free.signal() }
        do {
          continuation.resume(returning: try CommandRun(command))
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  private init(_ command: WorkerCommand) throws {
    let (ending, output, messages) = try ChildProcess.run(command)
    status = ending
    self.output = String(decoding: output, as: UTF8.self)
    let lines = messages.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    func isProgress(_ line: String) -> Bool { line.prefixMatch(of: #/\[ *\d+ s\] /#) != nil }
    progress = lines.filter(isProgress)
    errors = lines.filter { !isProgress($0) }.joined(separator: "\n")
  }

  var code: Int32? { if case .exited(let code) = status { code } else { nil } }

  /// Parses the output as a result.
  func result() throws -> RunResult {
    try ResultFile.result(named: "stdout", content: Data(output.utf8))
  }

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
      }, "zoombench is not beside the test bundle")
  }

  /// Returns a command that works inside the folder, whatever the tests' own environment.
  ///
  /// A variable without a value is removed. Keys and caches of indexes are kept in the folder, too.
  func command(
    _ arguments: [String], environment more: [String: String?] = [:]
  ) throws -> WorkerCommand {
    let standard: [String: String?] = [
      "TMPDIR": temporary.string, "XDG_DATA_HOME": file("data").string,
      "XDG_CACHE_HOME": file("cache").string, "ZOOMBENCH_INDEX_KEY": nil, "ZOOMBENCH_CORPUS": nil,
    ]
    let variables = standard.merging(more) { $1 }
    let executable = try Self.executable().string
    let removed = variables.filter { $0.value == nil }.keys
    var command = WorkerCommand(
      label: "zoombench", executable: "/usr/bin/env",
      arguments: removed.flatMap { ["-u", $0] } + [executable] + arguments,
      environment: variables.compactMapValues { $0 })
    command.folder = path.string
    return command
  }

  func zoombench(
    _ arguments: [String], environment more: [String: String?] = [:]
  ) async throws -> CommandRun {
    try await CommandRun.of(command(arguments, environment: more))
  }

  func zoombench(_ arguments: String...) async throws -> CommandRun {
    try await zoombench(arguments)
  }

  /// Reads the result in a file.
  func result(_ name: String) throws -> RunResult {
    try ResultFile.result(named: name, content: Data(try bytes(of: name)))
  }
}
