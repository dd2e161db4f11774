internal import Foundation
internal import Synchronization

/// A program that runs as a child process until it ends.
package enum ChildProcess {
  /// The outcome of a program.
  package enum End: Equatable {
    case exited(Int32)
    case crashed(signal: Int32)
    /// It was stopped because it wrote the awaited words.
    case said(String)
    case timedOut
  }

  /// Runs a program.
  ///
  /// - Parameters:
  ///   - command: The program, looked up in PATH, and its arguments.
  ///   - variables: Additions to the environment.
  ///   - words: The program is stopped as soon as a line of its output contains these words.
  ///   - memory: The limit of its address space, in KiB; nil for no limit.
  ///   - timeLimit: The time limit, in seconds.
  /// - Returns: Its outcome, and its output until then.
  /// - Throws: An error of Foundation if the program does not exist.
  package static func run(
    _ command: [String], variables: [String: String] = [:], until words: String? = nil,
    memory: Int? = nil, timeLimit: Double
  ) throws -> (end: End, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let limit = memory.map { "ulimit -v \($0); " } ?? ""
    process.arguments = ["-c", "\(limit)exec \"$0\" \"$@\""] + command
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let identifier = process.processIdentifier
    let late = Mutex(false)
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now() + timeLimit)
    timer.setEventHandler {
      late.withLock { $0 = true }
      stop(identifier)
    }
    timer.resume()
    var output = Data()
    var said: String?
    while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
      output.append(data)
      guard let words, said == nil else { continue }
      let text = String(decoding: output, as: UTF8.self)
      if let line = text.split(separator: "\n").first(where: { $0.contains(words) }) {
        said = String(line)
        stop(identifier)
        break
      }
    }
    process.waitUntilExit()
    timer.cancel()
    try pipe.fileHandleForReading.close()
    let end: End
    if let said {
      end = .said(said)
    } else if late.withLock({ $0 }) {
      end = .timedOut
    } else if process.terminationReason == .uncaughtSignal {
      end = .crashed(signal: process.terminationStatus)
    } else {
      end = .exited(process.terminationStatus)
    }
    return (end, String(decoding: output, as: UTF8.self))
  }

  /// Kills a program and its children, such as exit tests, which would keep its output open.
  ///
  /// Foundation makes each program the leader of a process group.
  private static func stop(_ identifier: pid_t) {
    if kill(-identifier, SIGKILL) != 0 { kill(identifier, SIGKILL) }
  }
}
