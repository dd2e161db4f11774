internal import Measurement
internal import Synchronization
internal import SystemPackage
internal import ZoomPipeline

/// The last moment for an answer: the end of its own time limit, or of the whole run where that comes first.
struct AnswerDeadline: Sendable {
  /// On the monotonic clock, in nanoseconds.
  let time: UInt64
  /// The limit of one answer.
  let seconds: Double
  /// Whether the run ends before the answer's own limit.
  let isOfRun: Bool
  /// Whether the limit is so short, because the run is, that a program that works may miss it.
  let isShortened: Bool

  /// Creates the deadline of a request that is sent now.
  ///
  /// - Parameters:
  ///   - seconds: the limit of one answer.
  ///   - end: when the run ends, on the monotonic clock; nil where it has no end.
  ///   - isShortened: whether a program that works may miss the limit.
  init(seconds: Double, end: UInt64?, isShortened: Bool = false) {
    self.isShortened = isShortened
    let limit = Self.time(after: seconds)
    self.seconds = seconds
    time = min(limit, end ?? .max)
    isOfRun = end.map { $0 < limit } ?? false
  }

  /// Returns the monotonic time that is `seconds` from now.
  static func time(after seconds: Double) -> UInt64 {
    let (sum, overflow) = Timestamps.monotonic().addingReportingOverflow(
      UInt64(exactly: (max(0, seconds) * 1e9).rounded()) ?? .max)
    return overflow ? .max : sum
  }

  /// The nanoseconds left; 0 after the deadline.
  var left: UInt64 {
    let now = Timestamps.monotonic()
    return time > now ? time - now : 0
  }

  /// The failure to throw once the deadline has passed.
  var failure: AnswerFailure {
    if isOfRun {
      return AnswerFailure("the time of the run was over before it answered", .outOfTime)
    }
    let reason = "it gave no answer within \(seconds) s"
    return isShortened
      ? AnswerFailure(
        reason + ", the limit that goes with so short a run", .outOfTime,
        advice: "give the run more time, or the program a limit with time=SECONDS")
      : AnswerFailure(reason)
  }
}

/// Why there is no answer.
struct AnswerFailure: Error {
  let reason: String
  let code: PipelineError.Code
  let advice: String?

  init(_ reason: String, _ code: PipelineError.Code = .misbehaved, advice: String? = nil) {
    (self.reason, self.code, self.advice) = (reason, code, advice)
  }

  /// The failure of a program or an address as an error of reading a file.
  func error(of speaker: String, reading file: FilePath) -> PipelineError {
    PipelineError(
      code, operation: "read", file: file, reason: "\(speaker): \(reason)",
      advice: advice)
  }
}

/// The end of a run, which all answers of a pipeline share.
final class RunEnd: Sendable {
  private let end = Mutex<(time: UInt64?, mostSeconds: Double)>((nil, .infinity))

  /// On the monotonic clock, in nanoseconds; nil where the run has no end.
  var time: UInt64? { end.withLock { $0.time } }

  /// The shortest limit not chosen by the user whose passing is a fault of the program, in seconds.
  ///
  /// A worker in an interpreted language on a busy machine starts and decodes a large picture in less. `verify` without
  /// options lasts 50 s, of which some are over when the limit is set, so that it allows almost 5 s.
  static let shortestTelling = 4.0

  /// The usual time limit of one answer, if the user gave none: a tenth of the run, so that laws can be tried after
  /// the first missing answer, and at least a second, which an interpreter needs to start.
  var mostSeconds: Double { end.withLock { $0.mostSeconds } }

  func set(secondsFromNow seconds: Double) {
    end.withLock { $0 = (AnswerDeadline.time(after: seconds), max(1, seconds / 10)) }
  }
}
