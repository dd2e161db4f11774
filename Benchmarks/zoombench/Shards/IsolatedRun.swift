internal import Foundation
internal import Measurement
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
    let nanoseconds = UInt64(exactly: (limit / .nanoseconds(1)).rounded()) ?? .max
    do throws(ChildProcess.Failure) {
      let (ending, output, _) = try ChildProcess.run(
        WorkerCommand(label: "cell", executable: executable.string, arguments: arguments),
        until: Timestamps.monotonic().addingSaturating(nanoseconds))
      return switch ending {
      case .killed(let signal): .died("signal \(signal)")
      case .exited(status: ExitStatus.fault.rawValue): .died("an internal error")
      case .exited: .output(String(decoding: output, as: UTF8.self))
      case .unknown: .died("an unknown cause")
      }
    } catch {
      guard error == .late else { throw Failure(.fault, "\(executable): \(error)") }
      return .died("taking more than \(limit.components.seconds) s")
    }
  }
}
