/// The result of one step of a load, as it is reported.
package struct LoadStep: Sendable, Codable {
  package enum Verdict: String, Sendable, Codable {
    case holds, broken
    /// Too few views for the quantile of the bound.
    case undecided
    /// Too many requests waited, so the step was stopped.
    case overloaded
    /// The generator sent requests too late, so the figures do not describe the subject.
    case late
  }

  /// The purpose of the step, such as "capacity 1" or "large alone".
  package let purpose: String
  /// The wanted views per second; nil if each viewer waits for the last view.
  package let rate: Double?
  package let viewers: Int
  package let connections: Int
  package let seconds: Double
  package let wanted: Int
  package let full: Int
  /// The views that lack an answer, and those that were not full in time.
  package let incomplete: Int
  package let unfinished: Int
  /// The time to full view in milliseconds; nil for too few views, or if too many never became full.
  package let p50: Double?
  package let p95: Double?
  package let p99: Double?
  package let maximum: Double?
  package let curve: [Latencies.Point]
  /// The times of single requests.
  package let requestP50: Double?
  package let requestP95: Double?
  package let firstByteP95: Double?
  /// The time by which the generator sent one in a hundred requests too late.
  package let lagP99: Double?
  package let answers: Int
  package let outcomes: [String: Int]
  package let retryAfter: Int
  package let retries: Int
  package let reasons: [String]
  package let compared: Int
  package let unchecked: Int
  package let faults: [String: Int]
  package let firstFault: String?
  package let firstUnchecked: String?
  package let bytes: Int
  package let pixels: Int
  package let processorSeconds: Double
  /// Whether the resources of a server's process were asked for; they are nil if it has ended.
  package let hasServerProcess: Bool
  package let serverProcessorSeconds: Double?
  package let peakResidentBytes: UInt64?
  package let serverResidentBytes: UInt64?
  /// The requests that took longer than ten times the median of their reduction, and longer than 100 ms.
  package let slow: Int
  /// The answers whose first bytes took as much longer than others.
  package let slowFirstBytes: Int
  /// The viewers most of whose views were above the bound although it held for all together.
  package let starved: [Int]
  /// The median time to full view of each viewer in milliseconds; nil if it is unknown or infinite.
  package let viewerMedians: [Double?]
  package let verdict: Verdict

  /// The wrong, short and mixed-up answers.
  package var wrong: Int { faults.values.reduce(0, +) }

  /// The requests without an answer, whatever the reason.
  package var failed: Int { answers - (outcomes[LoadAnswer.Kind.answered.rawValue] ?? 0) }

  /// The views that became full per second.
  package var throughput: Double { Double(full) / seconds }
}

extension LoadStep {
  init(
    _ purpose: String, _ tally: LoadTally, _ findings: AnswerLedger.Findings, bound: LoadBound,
    rate: Double?, viewers: Int, connections: Int, seconds: Double, processor: UInt64,
    serverProcessor: UInt64?, _ watch: ResourceWatch
  ) {
    func milliseconds(_ nanoseconds: Double?) -> Double? {
      nanoseconds.flatMap { $0.isFinite ? $0 / 1e6 : nil }
    }
    (self.purpose, self.rate, self.viewers) = (purpose, rate, viewers)
    (self.connections, self.seconds) = (connections, seconds)
    (wanted, unfinished) = (tally.wanted, tally.unfinished)
    full = tally.views.count - tally.views.never
    incomplete = tally.views.never - tally.unfinished
    p50 = milliseconds(tally.views.median)
    p95 = milliseconds(tally.views.quantile(0.95))
    p99 = milliseconds(tally.views.quantile(0.99))
    maximum = milliseconds(tally.views.maximum)
    curve = tally.views.curve
    requestP50 = milliseconds(tally.requests.median)
    requestP95 = milliseconds(tally.requests.quantile(0.95))
    firstByteP95 = milliseconds(tally.firstBytes.quantile(0.95))
    lagP99 = milliseconds(tally.lag.quantile(0.99))
    (slow, slowFirstBytes) = (tally.slow, tally.firstBytes.outliers)
    answers = tally.answers
    outcomes = Dictionary(
      uniqueKeysWithValues: tally.outcomes.map { ($0.key.rawValue, $0.value) })
    (retryAfter, retries, reasons) = (tally.retryAfter, tally.retries, tally.reasons)
    (compared, unchecked) = (findings.compared, findings.unchecked)
    faults = Dictionary(
      uniqueKeysWithValues: findings.faults.map { ($0.key.rawValue, $0.value) })
    (firstFault, firstUnchecked) = (findings.first, findings.firstUnchecked)
    (bytes, pixels) = (tally.bytes, tally.pixels)
    processorSeconds = Double(processor) / 1e9
    hasServerProcess = watch.server != nil
    serverProcessorSeconds = serverProcessor.map { Double($0) / 1e9 }
    (peakResidentBytes, serverResidentBytes) = (watch.own.peak, watch.served.peak)
    viewerMedians = (0..<viewers).map { viewer in
      let times = (tally.ofViewers[viewer] ?? []).sorted()
      return times.isEmpty ? nil : milliseconds(times[times.count / 2])
    }
    verdict = Verdict(tally, bound)
    starved = verdict == .holds ? tally.starved(bound) : []
  }
}

extension LoadStep.Verdict {
  /// Judges a step by the bound of a run.
  ///
  /// A generator is too late if it sends one in a hundred requests later than a tenth of the bound; the time of
  /// a view is no measure, because the delays of its requests add up. Of fewer than 299 requests, none may be
  /// later.
  package init(_ tally: LoadTally, _ bound: LoadBound) {
    let reached = tally.views.quantile(bound.fraction)
    let lag = tally.lag.quantile(0.99) ?? tally.lag.maximum
    if let lag, lag > bound.nanoseconds / 10 {
      self = .late
    } else if tally.isOverloaded {
      self = .overloaded
    } else if let reached {
      self = reached < bound.nanoseconds ? .holds : .broken
    } else {
      self = .undecided
    }
  }
}

extension LoadTally {
  /// The fewest views of a viewer by which it can be called starved.
  private static let telling = 5

  /// Returns the viewers that wait although the bound holds: half of their views are above it.
  ///
  /// It holds for all views together if the starved viewers are few enough.
  package func starved(_ bound: LoadBound) -> [Int] {
    guard let reached = views.quantile(bound.fraction), reached < bound.nanoseconds else {
      return []
    }
    return ofViewers.filter { _, times in
      times.count >= Self.telling
        && times.count(where: { $0 >= bound.nanoseconds }) * 2 > times.count
    }.keys.sorted()
  }
}
