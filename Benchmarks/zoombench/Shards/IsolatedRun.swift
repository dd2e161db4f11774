internal import Foundation
internal import Subprocess
internal import SystemPackage

/// One cell's work in a process of its own, which may end by a signal or not at all without ending us.
struct IsolatedRun {
  /// The process's program.
  let executable: FilePath
  let arguments: [String]
  /// How long it may take; a picture of ten gigapixels is indexed in a tenth of it.
  var limit = Duration.seconds(600)

  /// How it went.
  enum Outcome: Equatable {
    case output(String)
    /// It ended in a way that says nothing about the cell.
    case died(String)
  }

  /// This program with other arguments.
  static func zoombench(_ arguments: [String]) throws -> IsolatedRun {
    guard let path = Bundle.main.executablePath else {
      throw Failure(.fault, "the path of zoombench is not known")
    }
    return IsolatedRun(executable: FilePath(path), arguments: arguments)
  }

  func run() async throws -> Outcome {
    try await withThrowingTaskGroup(of: Outcome?.self) { group in
      group.addTask {
        // A crash's report is of no use here, and may be long.
        let result = try await Subprocess.run(
          .path(executable), arguments: Arguments(arguments), input: .none,
          output: .string(limit: 1 << 24),
          error: .discarded
        ) { RunningTools.insert($0.processIdentifier.value) }
        result.closureResult.end()
        switch result.terminationStatus {
        case .signaled(let signal): return .died("signal \(signal)")
        case .exited(ExitStatus.fault.rawValue): return .died("an internal error")
        case .exited: return .output(result.standardOutput)
        }
      }
      group.addTask {
        try await Task.sleep(for: limit)
        return nil
      }
      // Whichever is first; the process is killed with its task.
      defer { group.cancelAll() }
      guard let first = try await group.next() else { return .died("nothing") }
      return first ?? .died("taking more than \(limit.components.seconds) s")
    }
  }
}
