#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// At least one finite sample, in ascending order, with the statistics that need the order.
///
/// Quantiles follow definition 7 of Hyndman and Fan ("Sample quantiles in statistical packages",
/// The American Statistician 50, 1996): linear between the samples at ranks 1 + (n - 1)p. It is the
/// default of R and NumPy, so stored samples can be checked with either, and its median
/// is the usual one. Every statistic lies between the least and the greatest sample.
public struct SortedSamples: Sendable, Hashable {
  /// The samples in ascending order; never empty.
  public let values: [Double]

  /// Sorts samples of any unit.
  ///
  /// - Parameter samples: Finite numbers of at most 2^900 in magnitude, in any order.
  /// - Throws: `SampleError.noSamples`, or `SampleError.notFinite` for the first bad sample.
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
    // Not `Double.init`: for UInt64 that also names init(bitPattern:), which the compiler prefers.
    try self.init(nanoseconds.map { Double($0) })
  }

  /// How many samples there are.
  public var count: Int { values.count }

  /// The least sample.
  public var minimum: Double { values[0] }

  /// The greatest sample.
  public var maximum: Double { values[values.count - 1] }

  /// The arithmetic mean, which a single outlier can move anywhere.
  public var mean: Double {
    let sum = values.reduce(0, +)
    // Rounding may carry the mean of equal samples out of their range by a unit in the last place.
    return min(max(sum / Double(count), minimum), maximum)
  }

  /// The middle sample, or the mean of the two middle ones.
  public var median: Double { interpolated(0.5) }

  /// The median absolute deviation from the median, in the unit of the samples.
  ///
  /// Half of the samples may be outliers without moving it far.
  public var medianAbsoluteDeviation: Double {
    let center = median
    let deviations = values.map { ($0 - center).magnitude }.sorted()
    return Self.interpolated(deviations, 0.5)
  }

  /// Returns a quantile, or nil if there are too few samples to speak of it.
  ///
  /// - Parameter fraction: From zero to one: 0.95 asks for the 95th percentile.
  /// - Returns: Nil if there are fewer than `minimumCount(forQuantile: fraction)` samples, and thus
  ///   always for zero and one, which no finite number of samples reaches: `minimum` and `maximum`
  ///   are facts about the samples, not about where they came from.
  public func quantile(_ fraction: Double) -> Double? {
    guard let needed = Self.minimumCount(forQuantile: fraction), count >= needed else { return nil }
    return interpolated(fraction)
  }

  /// Returns how many samples a quantile needs.
  ///
  /// With n independent samples, all of them lie on the near side of the true quantile with chance
  /// p^n; then nothing at all is known about the far side. The least n that brings the chance down
  /// to 5 % is ln(0.05) / ln(p), rounded up: 29 for p90, 59 for p95, 299 for p99. A quantile below
  /// one half needs as many as its mirror image.
  ///
  /// - Parameter fraction: From zero to one.
  /// - Returns: Nil for zero and one, which no number of samples is enough for.
  public static func minimumCount(forQuantile fraction: Double) -> Int? {
    precondition((0...1).contains(fraction), "A quantile of \(fraction) is not between 0 and 1.")
    return Int(exactly: (log(0.05) / log(max(fraction, 1 - fraction))).rounded(.up))
  }

  private func interpolated(_ fraction: Double) -> Double {
    Self.interpolated(values, fraction)
  }

  private static func interpolated(_ ascending: [Double], _ fraction: Double) -> Double {
    let position = Double(ascending.count - 1) * fraction
    let lower = Int(position)
    let upper = min(lower + 1, ascending.count - 1)
    let weight = position - Double(lower)
    let value = ascending[lower] + weight * (ascending[upper] - ascending[lower])
    return min(max(value, ascending[lower]), ascending[upper])
  }
}
