internal import Measurement
internal import Synchronization
internal import ZoomPipeline

/// The deadline of an answer: the end of its time limit or of the run, whichever is earlier.
struct AnswerDeadline: Sendable {
  /// On the monotonic clock, in nanoseconds.
  let time: UInt64
  /// The time limit of one answer, in seconds.
  let seconds: Double
  /// Whether the run ends before the answer's own limit.
  let isOfRun: Bool
  /// Whether a short run makes the limit so short that a correct program may miss it.
  let isShortened: Bool

  /// Creates the deadline of a request that is sent now, in a run that ends at `end` or never.
  init(seconds: Double, end: UInt64?, isShortened: Bool = false) {
    self.isShortened = isShortened
    let limit = Timestamps.deadline(after: seconds)
    self.seconds = seconds
    time = min(limit, end ?? .max)
    isOfRun = end.map { $0 < limit } ?? false
  }

  /// The nanoseconds left; 0 after the deadline.
  var left: UInt64 { time.saturatingSubtract(Timestamps.monotonic()) }

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

/// The reason for a missing answer.
struct AnswerFailure: Error {
  let reason: String
  let code: PipelineError.Code
  let advice: String?
  /// Whether the connection ended, so that the same request may succeed.
  let isLost: Bool

  init(
    _ reason: String, _ code: PipelineError.Code = .misbehaved, advice: String? = nil,
    isLost: Bool = false
  ) {
    (self.reason, self.code, self.advice, self.isLost) = (reason, code, advice, isLost)
  }
}

/// The end of a run, shared by all answers of a pipeline.
final class RunEnd: Sendable {
  private let end = Mutex<(time: UInt64?, mostSeconds: Double)>((nil, .infinity))

  /// The end on the monotonic clock, in nanoseconds; nil if the run never ends.
  var time: UInt64? { end.withLock { $0.time } }

  /// The shortest default limit that a program is blamed for missing, in seconds.
  ///
  /// A worker in an interpreted language starts and decodes a large picture in less, even on a busy machine.
  /// `verify` without options lasts 50 s; some time has passed when the limit is set, so it is almost 5 s.
  static let shortestTelling = 4.0

  /// The default time limit of one answer, in seconds: a tenth of the run, so that laws can be tried after
  /// the first missing answer, but at least a second, which an interpreter needs to start.
  var mostSeconds: Double { end.withLock { $0.mostSeconds } }

  func set(secondsFromNow seconds: Double) {
    end.withLock { $0 = (Timestamps.deadline(after: seconds), max(1, seconds / 10)) }
  }
}
