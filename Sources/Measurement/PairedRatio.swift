/// How two arms compare, judged pair by pair: the median ratio and how sure it is.
///
/// The two durations of a pair were taken shortly after each other, so what slows the machine down
/// slows both, and the ratio stays. It is the median of all ratios, taken on the logarithmic
/// scale: with an even number of pairs it is the geometric mean of the middle two. Looked at from
/// the other arm, it is therefore simply the reciprocal.
///
///     let speedUp = try PairedRatio.speedUp(of: regionNanoseconds, over: naiveNanoseconds)
///     speedUp.ratio                // 8.1: the region takes an eighth of the naive time
///     speedUp.interval?.lower      // 7.9: and, with the confidence stated, at most a 7.9th
///
/// The interval's ends are two of the ratios, chosen by `MedianInterval`; no distribution is
/// assumed, only that pairs are independent of each other.
public struct PairedRatio: Sendable, Hashable, Codable {
  /// Two ratios that enclose the true median ratio.
  public struct Interval: Sendable, Hashable, Codable {
    /// The lower end, greater than zero.
    public let lower: Double

    /// The upper end.
    public let upper: Double

    /// The chance that the ends enclose the true median ratio; at least what was asked for.
    public let coverage: Double
  }

  /// How many pairs were compared.
  public let pairs: Int

  /// The median of numerator over denominator, greater than zero and finite.
  public let ratio: Double

  /// The confidence asked for.
  public let confidence: Double

  /// The interval of this confidence, or nil if there are too few pairs for it.
  public let interval: Interval?

  /// Compares durations in nanoseconds; those with the same index are a pair.
  ///
  /// - Parameters:
  ///   - numerators: The durations of one arm.
  ///   - denominators: The durations of the arm it is divided by, as many.
  ///   - confidence: The chance, between zero and one, that the interval has to enclose the true
  ///     median ratio; 0.98 allows one in a hundred on each side and takes 7 pairs.
  /// - Throws: A `SampleError`: no pairs, not as many of the one as of the other, a duration of
  ///   zero (which would be a ratio of zero, infinity or NaN), or no such confidence.
  public init(
    numerators: [UInt64], denominators: [UInt64], confidence: Double = 0.98
  ) throws(SampleError) {
    guard numerators.count == denominators.count else {
      throw .unpaired(numerators: numerators.count, denominators: denominators.count)
    }
    if numerators.isEmpty { throw .noSamples }
    for (index, pair) in zip(numerators, denominators).enumerated() {
      if pair.0 == 0 || pair.1 == 0 { throw .zeroDuration(index: index) }
    }
    let ratios = zip(numerators, denominators).map { Double($0) / Double($1) }.sorted()
    let chosen = try MedianInterval.narrowest(count: ratios.count, confidence: confidence)
    // Ratios sort like their logarithms, so neither log nor exp is needed, nor their rounding.
    let (low, high) = (ratios[(ratios.count - 1) / 2], ratios[ratios.count / 2])
    pairs = ratios.count
    ratio = low == high ? low : (low * high).squareRoot()
    self.confidence = confidence
    interval = chosen.map { chosen in
      Interval(
        lower: ratios[chosen.rank - 1], upper: ratios[ratios.count - chosen.rank],
        coverage: chosen.coverage)
    }
  }

  private init(pairs: Int, ratio: Double, confidence: Double, interval: Interval?) {
    self.pairs = pairs
    self.ratio = ratio
    self.confidence = confidence
    self.interval = interval
  }

  /// Tells how many times faster a contender is than a baseline: more than one is faster.
  ///
  /// - Parameters:
  ///   - contender: The durations of the arm to judge, in nanoseconds.
  ///   - baseline: The durations of the arm to judge it by, as many.
  ///   - confidence: The chance that the interval has to enclose the true speed-up.
  /// - Returns: The median of baseline over contender.
  /// - Throws: A `SampleError`, as the initialiser does.
  public static func speedUp(
    of contender: [UInt64], over baseline: [UInt64], confidence: Double = 0.98
  ) throws(SampleError) -> PairedRatio {
    try PairedRatio(numerators: baseline, denominators: contender, confidence: confidence)
  }

  /// The same comparison seen from the other arm: denominator over numerator.
  public var inverted: PairedRatio {
    PairedRatio(
      pairs: pairs, ratio: 1 / ratio, confidence: confidence,
      interval: interval.map { interval in
        Interval(
          lower: 1 / interval.upper, upper: 1 / interval.lower, coverage: interval.coverage)
      })
  }
}
