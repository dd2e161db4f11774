internal import Histogram
internal import Measurement

/// Times in an HDR histogram with three significant digits, and the views that never became full.
package struct Latencies: Sendable {
  private var histogram = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
  /// The number of times that are longer than any other.
  package private(set) var never = 0

  package var count: Int { Int(clamping: histogram.totalCount) + never }

  /// Records a time; nil is longer than any other.
  package mutating func record(_ nanoseconds: UInt64?) {
    if let nanoseconds { histogram.record(nanoseconds) } else { never += 1 }
  }

  /// Returns a quantile in nanoseconds; infinite if too many never came, nil for too few samples.
  package func quantile(_ fraction: Double) -> Double? {
    let needed = SortedSamples.minimumCount(forQuantile: fraction) ?? .max
    return count >= needed ? value(at: fraction) : nil
  }

  // The mean, the median and the longest time: infinite if too many never came, nil without samples.
  package var mean: Double? { count == 0 ? nil : never > 0 ? .infinity : histogram.mean }
  package var median: Double? { count == 0 ? nil : value(at: 0.5) }
  package var maximum: Double? { count == 0 ? nil : value(at: 1) }

  private func value(at fraction: Double) -> Double {
    let rank = (Double(count) * fraction).rounded(.up)
    let came = Double(histogram.totalCount)
    guard rank <= came, came > 0 else { return .infinity }
    return Double(histogram.valueAtPercentile(100 * rank / came))
  }

  /// The number of times above ten times the median and above 100 ms, which a busy machine rarely causes.
  package var outliers: Int {
    guard let median, median.isFinite else { return 0 }
    let most = UInt64(max(10 * median, 100e6))
    guard most < histogram.max else { return 0 }
    return Int(clamping: histogram.count(within: most...histogram.max))
  }

  /// The finite points of a curve for a logarithmic scale: 1 - p halves from point to point.
  package var curve: [Point] {
    var points: [Point] = []
    var tail = 1.0
    while Double(count) * tail >= 1 {
      let value = value(at: 1 - tail)
      if value.isFinite { points.append(Point(fraction: 1 - tail, milliseconds: value / 1e6)) }
      tail /= 2
    }
    return points
  }

  package struct Point: Sendable, Hashable, Codable {
    package let fraction, milliseconds: Double
  }
}

/// A bound for the time to full view, such as `p95<1s`.
package struct LoadBound: Sendable, Hashable, Codable, CustomStringConvertible {
  package let fraction, nanoseconds: Double
  package let description: String

  /// The usual bound: people wait for a second without losing their thought (Nielsen, 1993).
  package static let usual = LoadBound(fraction: 0.95, nanoseconds: 1e9, description: "p95<1s")
}

extension LoadBound {
  /// Parses a bound; nil unless it is `pN<TIME` with N from 50 to 99.99 and a time in ms or s.
  package init?(_ text: String) {
    guard let match = text.wholeMatch(of: /p([0-9]+(?:\.[0-9]+)?)\s*<\s*([0-9.]+)\s*(ms|s)/),
      let percent = Double(match.1), (50...99.99).contains(percent),
      let time = Double(match.2), time > 0, time <= 3600
    else { return nil }
    fraction = percent / 100
    nanoseconds = time * (match.3 == "ms" ? 1e6 : 1e9)
    description = "p\(match.1)<\(match.2)\(match.3)"
  }
}
