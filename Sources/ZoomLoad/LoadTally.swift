/// The counts and times of a step of a load.
package struct LoadTally: Sendable {
  /// The times from a view's wanted time to its last tile.
  package private(set) var views = Latencies()
  /// The times of single requests, from when they were sent.
  package private(set) var requests = Latencies()
  /// The same times by the reduction of the tile, since servers reduce more slowly than they cut.
  private var byReduction: [Int: Latencies] = [:]
  /// The times by which requests were sent later than they could have been.
  package private(set) var lag = Latencies()
  package private(set) var firstBytes = Latencies()
  package private(set) var outcomes: [LoadAnswer.Kind: Int] = [:]
  /// The times to full view of each viewer, in nanoseconds.
  package private(set) var ofViewers: [Int: [Double]] = [:]
  package private(set) var retryAfter = 0
  package private(set) var retries = 0
  package private(set) var bytes = 0
  package private(set) var reasons: [String] = []
  package internal(set) var wanted = 0
  package internal(set) var unfinished = 0
  /// Whether too many requests waited, so that the step was stopped.
  package internal(set) var isOverloaded = false
  package internal(set) var pixels = 0

  /// The requests that took far longer than others of their reduction.
  package var slow: Int { byReduction.values.map(\.outliers).reduce(0, +) }

  package var answers: Int { outcomes.values.reduce(0, +) }

  /// The number of different reasons of failures that are kept.
  private static let mostReasons = 3

  mutating func note(_ answer: LoadAnswer, reduction: Int, took time: UInt64, lag: UInt64) {
    outcomes[answer.kind, default: 0] += 1
    requests.record(time)
    byReduction[reduction, default: Latencies()].record(time)
    self.lag.record(lag)
    if let first = answer.firstByte { firstBytes.record(first) }
    if answer.hasRetryAfter { retryAfter += 1 }
    retries += answer.retries
    bytes += answer.byteCount
    if let reason = answer.reason, reasons.count < Self.mostReasons, !reasons.contains(reason) {
      reasons.append(reason)
    }
  }

  /// Notes the end of a view; nil if it never became full.
  mutating func end(_ time: UInt64?, viewer: Int) {
    if let time { views.record(time) } else { views.recordNever() }
    ofViewers[viewer, default: []].append(time.map { Double($0) } ?? .infinity)
  }
}
