/// A set of samples in a few numbers, fit to be stored and printed.
///
/// All numbers have the unit of the samples. How each is computed is said in `SortedSamples`. Keep
/// the samples too: a summary cannot be compared with another one pair by pair.
public struct Summary: Sendable, Hashable, Codable {
  /// How many samples there were.
  public let count: Int

  /// The least sample.
  public let minimum: Double

  /// The greatest sample.
  public let maximum: Double

  /// The arithmetic mean.
  public let mean: Double

  /// The middle sample.
  public let median: Double

  /// The 90th percentile, or nil for fewer than 29 samples.
  public let p90: Double?

  /// The 95th percentile, or nil for fewer than 59 samples.
  public let p95: Double?

  /// The 99th percentile, or nil for fewer than 299 samples.
  public let p99: Double?

  /// The median absolute deviation from the median.
  public let medianAbsoluteDeviation: Double

  /// Summarises sorted samples.
  public init(_ samples: SortedSamples) {
    count = samples.count
    minimum = samples.minimum
    maximum = samples.maximum
    mean = samples.mean
    median = samples.median
    p90 = samples.quantile(0.90)
    p95 = samples.quantile(0.95)
    p99 = samples.quantile(0.99)
    medianAbsoluteDeviation = samples.medianAbsoluteDeviation
  }

  /// Summarises samples of any unit.
  ///
  /// - Parameter samples: Finite numbers in any order.
  /// - Throws: `SampleError.noSamples` or `SampleError.notFinite`.
  public init(_ samples: [Double]) throws(SampleError) {
    self.init(try SortedSamples(samples))
  }

  /// Summarises durations in nanoseconds.
  ///
  /// - Parameter nanoseconds: Durations in any order.
  /// - Throws: `SampleError.noSamples`.
  public init(nanoseconds: [UInt64]) throws(SampleError) {
    self.init(try SortedSamples(nanoseconds: nanoseconds))
  }

  /// The spread that a normal distribution's standard deviation would have, outliers aside.
  ///
  /// The median absolute deviation times 1.4826, which is 1 / Φ⁻¹(3/4).
  public var robustDeviation: Double { 1.4826 * medianAbsoluteDeviation }
}
