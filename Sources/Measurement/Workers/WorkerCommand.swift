/// The command that starts one worker.
public struct WorkerCommand: Sendable, Hashable {
  /// The worker's name in messages: "base", "candidate".
  public var label: String
  /// A path, or a name to find in PATH.
  public var executable: String
  /// The arguments after the name of the program.
  public var arguments: [String]
  /// Variables added to the environment of this process, such as VIPS_CONCURRENCY.
  public var environment: [String: String]
  /// The time limit of one request, in seconds.
  ///
  /// A minute is a thousand times a usual sample, and short enough for a build server.
  public var timeLimitSeconds: Double
  /// The folder in which it runs, and from which a relative path of its executable is resolved; nil for this
  /// process's folder.
  package var folder: String?
  /// The processor core to pin it to; nil for any.
  package var core: Int?
  /// The deadline for answers on the monotonic clock; nil for none.
  package var deadline: UInt64?

  /// Creates a command.
  public init(
    label: String, executable: String, arguments: [String] = [],
    environment: [String: String] = [:], timeLimitSeconds: Double = 60
  ) {
    (self.label, self.executable, self.arguments) = (label, executable, arguments)
    (self.environment, self.timeLimitSeconds) = (environment, timeLimitSeconds)
  }

  /// Returns the time limit, in nanoseconds, of a request at this time, shortened if the deadline is near.
  ///
  /// It is at least 5 s, so that a launch that began in time can be finished: on a busy machine, a process
  /// takes seconds to start.
  package func timeLimit(at now: UInt64) -> UInt64 {
    let limit = wholeTimeLimit
    return deadline.map { min(limit, max($0.saturatingSubtract(now), 5_000_000_000)) } ?? limit
  }

  /// The time limit of a request without a deadline, in nanoseconds.
  package var wholeTimeLimit: UInt64 {
    // Infinity means no limit.
    timeLimitSeconds > 0 ? UInt64(exactly: (timeLimitSeconds * 1e9).rounded()) ?? .max : 0
  }

  /// The command in shell syntax, for messages.
  public var description: String {
    ([executable] + arguments).map(ShellWord.quoted).joined(separator: " ")
  }
}

/// A worker's failure to answer.
public struct WorkerError: Error, Sendable, Hashable {
  package enum Ending: Sendable, Hashable {
    case exited(status: Int32)
    case killed(signal: Int32)
    /// It closed its output and did not end in time, or its status could not be read.
    case unknown
  }

  package enum Problem: Sendable, Hashable {
    /// The system's code, such as ENOENT.
    case cannotStart(code: Int32)
    case ended(Ending)
    /// It did not answer in this time.
    case silent(nanoseconds: UInt64)
    case overlong(limit: Int)
    case notText
    case notUnderstood(WorkerLineError)
    /// It wrote a line without a request.
    case unasked(String)
    case refused(String)
    /// It reported a longer time than the answer took.
    case impossible(claimedNanoseconds: UInt64, passedNanoseconds: UInt64)
  }

  /// The command that started the worker.
  public var command: WorkerCommand
  /// The last line sent to it; nil if it could not be started.
  package var request: String?
  package var problem: Problem
  /// The end of its standard error.
  public var log: String

  package init(
    command: WorkerCommand, request: String? = nil, problem: Problem, log: String = ""
  ) {
    (self.command, self.request, self.problem, self.log) = (command, request, problem, log)
  }
}

extension WorkerError: CustomStringConvertible {
  /// The failure, its reason and a remedy, in one line without a full stop.
  public var description: String {
    let request = request.map { " when asked '\($0)'" } ?? ""
    let whole =
      "the \(command.label) worker (\(command.description)) \(what)\(request)\(LastLines.phrase(log))"
      + " (\(advice))"
    // A worker's text may contain anything, including line ends.
    return String(whole.map { $0.isNewline ? " " : $0 })
  }

  private var what: String {
    switch problem {
    case .cannotStart(let code): "cannot be started: \(ChildProcess.Failure.message(of: code))"
    case .ended(.exited(let status)): "ended with status \(status)"
    case .ended(.killed(let signal)): "was ended by signal \(signal)"
    case .ended(.unknown): "closed its output"
    case .silent(let nanoseconds):
      "did not answer within \((Double(nanoseconds) / 1e6).rounded() / 1000) s"
    case .overlong(let limit): "sent a line of more than \(limit) bytes"
    case .notText: "sent a line that is not UTF-8"
    case .notUnderstood(let error): "sent an answer that cannot be parsed: \(error)"
    case .unasked(let line): "sent '\(line)' without a request"
    case .refused(let text): "answered 'error \(text)'"
    case .impossible(let claimed, let passed):
      "claims \(claimed) ns of work in an answer that took \(passed) ns"
    }
  }

  private var advice: String {
    switch problem {
    case .cannotStart: "check that the file exists and is executable"
    case .ended: "run the command by hand and type 'hello 1'"
    case .silent: "see whether it hangs, or allow a longer time"
    case .overlong, .notText, .notUnderstood, .unasked:
      "its standard output must carry version \(WorkerRequest.version) of the worker protocol alone"
    case .refused: "what follows 'error' is the worker's own message"
    case .impossible: "it must send nanoseconds of a monotonic clock"
    }
  }
}
