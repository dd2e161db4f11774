internal import RealModule

/// One or more finite samples in ascending order, with their order statistics.
///
/// Quantiles follow definition 7 of Hyndman and Fan ("Sample quantiles in statistical packages",
/// The American Statistician 50, 1996): linear between the samples at ranks 1 + (n - 1)p. It is the
/// default of R and NumPy, so stored samples can be checked with either, and it gives the usual median.
/// Every statistic is between the least and the greatest sample.
public struct SortedSamples: Sendable, Hashable {
  /// The samples in ascending order; never empty.
  public let values: [Double]

  /// Sorts samples of any unit.
  ///
  /// - Parameter samples: Finite numbers of at most 2^900 in magnitude, in any order.
  /// - Throws: `SampleError.noSamples`, or `SampleError.notFinite` for the first invalid sample.
  public init(_ samples: [Double]) throws(SampleError) {
    if samples.isEmpty { throw .noSamples }
    // The bound keeps sums, differences and their multiples finite.
    if let index = samples.firstIndex(where: { !($0.magnitude <= 0x1p900) }) {
      throw .notFinite(index: index)
    }
    values = samples.sorted()
  }

  /// Sorts durations in nanoseconds; beyond 2^53 ns (104 days) they are rounded.
  ///
  /// - Parameter nanoseconds: Durations in any order.
  /// - Throws: `SampleError.noSamples`.
  public init(nanoseconds: [UInt64]) throws(SampleError) {
    // Not `Double.init`: for UInt64, the compiler would prefer init(bitPattern:).
    try self.init(nanoseconds.map { Double($0) })
  }

  /// The number of samples.
  public var count: Int { values.count }

  /// The least sample.
  public var minimum: Double { values[0] }

  /// The greatest sample.
  public var maximum: Double { values[values.count - 1] }

  /// The arithmetic mean, which a single outlier can shift arbitrarily.
  public var mean: Double {
    let sum = values.reduce(0, +)
    // Rounding could move the mean of equal samples out of their range by a unit in the last place.
    return min(max(sum / Double(count), minimum), maximum)
  }

  /// The middle sample, or the mean of the two middle ones.
  public var median: Double { Self.interpolated(values, 0.5) }

  /// The median absolute deviation from the median, in the unit of the samples.
  ///
  /// Outliers among less than half of the samples hardly affect it.
  public var medianAbsoluteDeviation: Double {
    let center = median
    let deviations = values.map { ($0 - center).magnitude }.sorted()
    return Self.interpolated(deviations, 0.5)
  }

  /// A robust estimate of the standard deviation of a normal distribution.
  ///
  /// It is the median absolute deviation times 1.4826, which is 1 / Φ⁻¹(3/4).
  public var robustDeviation: Double { 1.4826 * medianAbsoluteDeviation }

  /// Returns a quantile, or nil if there are too few samples for it.
  ///
  /// - Parameter fraction: From zero to one: 0.95 is the 95th percentile.
  /// - Returns: Nil for fewer than `minimumCount(forQuantile: fraction)` samples, and thus always for zero
  ///   and one, which no finite number of samples reaches: `minimum` and `maximum` describe only the
  ///   samples, not their distribution.
  public func quantile(_ fraction: Double) -> Double? {
    guard let needed = Self.minimumCount(forQuantile: fraction), count >= needed else { return nil }
    return Self.interpolated(values, fraction)
  }

  /// Returns the number of samples that a quantile needs.
  ///
  /// All of n independent samples are on the near side of the true quantile with a chance of p^n; then they
  /// contain no information about the far side. The least n that reduces the chance to 5 % is ln(0.05) /
  /// ln(p), rounded up: 29 for p90, 59 for p95, 299 for p99. A quantile below one half needs as many as its
  /// mirror image.
  ///
  /// - Parameter fraction: From zero to one.
  /// - Returns: Nil for zero and one, for which no number of samples is enough.
  public static func minimumCount(forQuantile fraction: Double) -> Int? {
    precondition((0...1).contains(fraction), "A quantile of \(fraction) is not between 0 and 1.")
    return Int(
      exactly: (Double.log(0.05) / Double.log(max(fraction, 1 - fraction))).rounded(.up))
  }

  /// Interpolates linearly between one or more samples in ascending order, at a fraction from zero to one.
  private static func interpolated(_ ascending: [Double], _ fraction: Double) -> Double {
    let position = Double(ascending.count - 1) * fraction
    let lower = Int(position)
    let upper = min(lower + 1, ascending.count - 1)
    let weight = position - Double(lower)
    let value = ascending[lower] + weight * (ascending[upper] - ascending[lower])
    return min(max(value, ascending[lower]), ascending[upper])
  }
}

/// The reason that samples cannot be summarised or compared.
public enum SampleError: Error, Sendable, Hashable {
  /// There are no samples.
  case noSamples

  /// The sample at this index is NaN, infinite, or so large that differences would overflow.
  case notFinite(index: Int)

  /// One of the durations of the pair at this index is zero: it was too short for the clock.
  case zeroDuration(index: Int)

  /// The two arms have different numbers of samples, so these are not pairs.
  case unpaired(numerators: Int, denominators: Int)

  /// A confidence must be between zero and one, both excluded.
  case invalidConfidence(Double)
}

extension SampleError: CustomStringConvertible {
  /// One sentence for people, without a full stop.
  public var description: String {
    switch self {
    case .noSamples:
      "there are no samples"
    case .notFinite(let index):
      "sample \(index) is not a finite number of usable size"
    case .zeroDuration(let index):
      "pair \(index) has a duration of zero, too short for the clock"
    case .unpaired(let numerators, let denominators):
      "\(numerators) and \(denominators) samples do not make pairs"
    case .invalidConfidence(let confidence):
      "a confidence of \(confidence) is not between 0 and 1"
    }
  }
}
