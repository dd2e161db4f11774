internal import Foundation
internal import Subprocess
internal import SystemPackage

/// The work of one cell in a separate process, which may crash or hang without affecting this one.
struct IsolatedRun {
  let executable: FilePath
  let arguments: [String]
  /// The time limit; indexing a picture of ten gigapixels takes a tenth of it.
  var limit = Duration.seconds(600)

  enum Outcome: Equatable {
    case output(String)
    /// It ended in a way that gives no result for the cell.
    case died(String)
  }

  static func zoombench(_ arguments: [String]) throws -> IsolatedRun {
    guard let path = Bundle.main.executablePath else {
      throw Failure(.fault, "the path of zoombench is not known")
    }
    return IsolatedRun(executable: FilePath(path), arguments: arguments)
  }

  func run() async throws -> Outcome {
    try await withThrowingTaskGroup(of: Outcome?.self) { group in
      group.addTask {
        // A crash report is not needed here, and may be long.
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
      // The first of the two tasks decides; cancelling the other kills the process.
      defer { group.cancelAll() }
      guard let first = try await group.next() else { return .died("nothing") }
      return first ?? .died("taking more than \(limit.components.seconds) s")
    }
  }
}
