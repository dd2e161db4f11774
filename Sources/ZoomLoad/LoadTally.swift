package import ForeignPipelines
internal import Measurement
internal import ZoomGeometry
internal import ZoomPipeline

package struct LoadCounts: Sendable, Codable {
  /// The views that were wanted, and those that were not full in time.
  package internal(set) var wanted = 0
  package internal(set) var unfinished = 0
  package fileprivate(set) var outcomes: [LoadAnswer.Kind: Int] = [:]
  package fileprivate(set) var retryAfter = 0
  package fileprivate(set) var retries = 0
  package fileprivate(set) var bytes = 0
  package fileprivate(set) var pixels = 0
  /// Some reasons of failures.
  package fileprivate(set) var reasons: [String] = []

  package var answers: Int { outcomes.values.reduce(0, +) }

  /// Whether a request lacks an answer, or none came before all views were given up.
  var isLacking: Bool { answers > outcomes[.answered] ?? 0 || answers == 0 && unfinished > 0 }
  /// Whether the server neither answers nor sheds load, so that a lower load would change nothing.
  var isDead: Bool { isLacking && ![.answered, .busy, .timedOut].contains { outcomes[$0] != nil } }
  /// Whether a request lacks an answer, or a server often ended a kept connection just when a request came.
  var isShort: Bool { isLacking || unfinished > 0 || retries >= max(3, answers / 2000) }

  /// The requests without an answer by their kind, and other faults, "sent again" last: "busy 3", "reset 1".
  package var shortfalls: [String] {
    let kinds = LoadAnswer.Kind.allCases.dropFirst().map { ($0.rawValue, outcomes[$0] ?? 0) }
    let others = [
      ("Retry-After", retryAfter), ("views given up", unfinished), ("sent again", retries),
    ]
    return (kinds + others).filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }
  }
}

/// The counts and times of a step of a load.
package struct LoadTally: Sendable {
  package internal(set) var counts = LoadCounts()
  /// Whether the step was stopped because too many requests waited, even if none was recorded.
  var isOverloaded = false
  /// The times from a view's wanted time to its last tile.
  package private(set) var views = Latencies()
  /// The times of single requests, from when they were sent.
  package private(set) var requests = Latencies()
  /// The same times by the reduction of the tile, since servers reduce more slowly than they cut.
  private var byReduction: [Int: Latencies] = [:]
  /// The times by which the generator delayed requests: sent later than they could have been, or answered while the
  /// thread that asked waited for a core.
  package private(set) var lag = Latencies()
  /// The sums of these times and of those for which connections were taken, and the requests that waited for one.
  private var (lagSum, heldSum, queued) = (0.0, 0.0, 0)
  package private(set) var firstBytes = Latencies()
  /// The times to full view of each viewer, in nanoseconds.
  package private(set) var ofViewers: [Int: [Double]] = [:]

  /// Whether requests waited for connections that the generator took for a tenth longer than it should have: without the
  /// delay, the subject would have been asked for more.
  ///
  /// One waiting request in a hundred comes from bursts, which hardly lower the rate.
  var isSlowedDown: Bool { queued * 100 > counts.answers && lagSum > 0.1 * heldSum }

  /// The requests that took far longer than others of their reduction.
  package var slow: Int { byReduction.values.map(\.outliers).reduce(0, +) }

  mutating func note(
    _ answer: LoadAnswer, to ticket: LoadEngine.Ticket, sent: UInt64, at time: UInt64
  ) {
    let (request, took) = (ticket.part.tile.request, time.saturatingSubtract(sent))
    let lag = sent.saturatingSubtract(ticket.ready).addingSaturating(answer.runDelay)
    counts.outcomes[answer.kind, default: 0] += 1
    requests.record(took)
    byReduction[request.reduction.rawValue, default: Latencies()].record(took)
    self.lag.record(lag)
    lagSum += Double(lag)
    heldSum += Double(time.saturatingSubtract(ticket.ready))
    queued += ticket.isQueued ? 1 : 0
    if let first = answer.firstByte { firstBytes.record(first) }
    counts.retryAfter += answer.hasRetryAfter ? 1 : 0
    counts.retries += answer.retries
    counts.bytes += answer.byteCount
    counts.pixels += answer.kind == .answered ? request.outputSize.area : 0
    guard let reason = answer.reason, counts.reasons.count < 3 else { return }
    if !counts.reasons.contains(reason) { counts.reasons.append(reason) }
  }

  /// Notes the end of a view; nil if it never became full.
  mutating func end(_ time: UInt64?, viewer: Int) {
    views.record(time)
    ofViewers[viewer, default: []].append(time.map { Double($0) } ?? .infinity)
  }

  /// Returns the median time to full view of a viewer in milliseconds; nil if it is unknown or infinite.
  func median(of viewer: Int) -> Double? {
    let times = (ofViewers[viewer] ?? []).sorted()
    return times.isEmpty || times[times.count / 2] == .infinity ? nil : times[times.count / 2] / 1e6
  }

  /// Counts viewers who have at least five views, and wait beyond a bound in more than half of them.
  func starved(_ bound: LoadBound) -> Int {
    ofViewers.values.count { times in
      times.count >= 5 && times.count(where: { $0 >= bound.nanoseconds }) * 2 > times.count
    }
  }
}
