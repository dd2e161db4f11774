internal import Measurement

/// The result of one step of a load, as it is reported.
package struct LoadStep: Sendable, Codable {
  package enum Verdict: String, Sendable, Codable {
    case holds, broken
    /// Too few views for the quantile of the bound.
    case undecided
    /// The generator sent requests too late, so the figures do not describe the subject.
    case late

    /// Judges a step by the bound of a run.
    ///
    /// A generator is too late if it delays one in a hundred requests by more than a tenth of the bound. The times of
    /// views do not measure that, because the delays of their requests add up. Of fewer than 299 requests, none
    /// may be later.
    init(_ tally: LoadTally, _ bound: LoadBound) {
      let lag = tally.lag.quantile(0.99) ?? tally.lag.maximum
      if tally.isSlowedDown || lag ?? 0 > bound.nanoseconds / 10 {
        self = .late
      } else if tally.isOverloaded {
        self = .broken
      } else if let reached = tally.views.quantile(bound.fraction) {
        self = reached < bound.nanoseconds ? .holds : .broken
      } else {
        self = .undecided
      }
    }
  }

  /// The percentiles of times in milliseconds; nil for too few times, or if too many never came.
  package struct Times: Sendable, Codable {
    package let mean, p50, p95, p99, maximum: Double?

    init(_ times: Latencies) {
      func milliseconds(_ time: Double?) -> Double? {
        time.flatMap { $0.isFinite ? $0 / 1e6 : nil }
      }
      (mean, p50) = (milliseconds(times.mean), milliseconds(times.median))
      (p95, p99) = (milliseconds(times.quantile(0.95)), milliseconds(times.quantile(0.99)))
      maximum = milliseconds(times.maximum)
    }
  }

  /// The purpose of the step, such as "capacity 1" or "largest alone".
  package let purpose: String
  /// The wanted views per second; nil if each viewer waits for the last view.
  package let rate: Double?
  package let viewers: Int
  package let seconds: Double
  package let counts: LoadCounts
  package let checks: AnswerLedger.Findings
  /// The number of views that became full.
  package let full: Int
  /// The times to full view.
  package let views: Times
  package let curve: [Latencies.Point]
  /// The times of single requests, and of the first bytes of their answers.
  package let requests, firstBytes: Times
  /// The times by which the generator delayed requests.
  package let lag: Times
  /// The requests above ten times the median of their reduction and 100 ms, and the first bytes above those.
  package let slow, slowFirstBytes: Int
  /// The viewers most of whose views were above the bound although it held for all together.
  package let starved: Int
  package let verdict: Verdict
  /// The usage of this process, and of the server's if its number is given.
  package let own: Usage
  package let server: Usage?

  /// The CPU time and the most memory of a process; nil if they cannot be read.
  package struct Usage: Sendable, Codable {
    package let processorSeconds: Double?
    package let residentBytes: Int?

    init(_ series: ResourceSeries, since start: UInt64?) {
      let time = start.flatMap { series.processorTime?.saturatingSubtract($0) }
      processorSeconds = time.map { Double($0) / 1e9 }
      residentBytes = series.readings.compactMap { $0.amounts[ResourceReading.memory] }.max()
    }
  }

  /// Whether the numbers agree with each other.
  var isConsistent: Bool {
    let percentiles = [views, requests, firstBytes, lag].map { times in
      [times.p50, times.p95, times.p99, times.maximum].compactMap(\.self)
    }
    let ascending = percentiles + [curve.map(\.milliseconds), curve.map(\.fraction) + [1]]
    return full <= counts.wanted && seconds > 0 && ascending.allSatisfy { $0 == $0.sorted() }
  }

  var amount: Double { rate ?? Double(viewers) }
  /// The load in words: "4 views/s" or "8 viewers".
  package var load: String {
    rate.map { "\(decimals($0)) views/s" } ?? "\(viewers) viewer\(viewers == 1 ? "" : "s")"
  }

  init(
    _ purpose: String, _ tally: LoadTally, _ checks: AnswerLedger.Findings, bound: LoadBound,
    rate: Double?, viewers: Int, seconds: Double, usage: [Usage]
  ) {
    (self.purpose, self.rate, self.viewers, self.seconds) = (purpose, rate, viewers, seconds)
    (counts, self.checks, own, server) = (tally.counts, checks, usage[0], usage.dropFirst().first)
    full = tally.views.count - tally.views.never
    (views, curve) = (Times(tally.views), tally.views.curve)
    (requests, firstBytes) = (Times(tally.requests), Times(tally.firstBytes))
    (slow, slowFirstBytes) = (tally.slow, tally.firstBytes.outliers)
    (lag, verdict) = (Times(tally.lag), Verdict(tally, bound))
    starved = verdict == .holds ? tally.starved(bound) : 0
  }
}

/// Returns a number with at most two decimals.
func decimals(_ value: Double) -> String {
  let rounded = (value * 100).rounded() / 100
  return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
}
