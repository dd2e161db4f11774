import RealModule

/// The median ratio of two arms over pairs, with its confidence interval.
///
/// The two durations of a pair were taken in close succession, so a slow-down of the machine affects both,
/// and the ratio stays the same. The median is taken on the logarithmic scale: with an even number of pairs
/// it is the geometric mean of the middle two. Exchanging the arms therefore gives the reciprocal.
///
///     let gain = try PairedRatio(numerators: naiveNanoseconds, denominators: regionNanoseconds)
///     gain.ratio                // 8.1: the region takes an eighth of the naive time
///     gain.interval?.lower      // 7.9: and, with the confidence stated, at most a 7.9th
///
/// The interval's ends are two of the ratios, chosen by `MedianInterval`. No distribution is assumed, only
/// that pairs are independent of each other.
public struct PairedRatio: Sendable, Hashable, Codable {
  /// A confidence interval.
  public struct Interval: Sendable, Hashable, Codable {
    /// The lower end; for ratios it is greater than zero.
    public let lower: Double

    /// The upper end.
    public let upper: Double

    /// The chance that the interval contains the true value; at least the requested confidence.
    public let coverage: Double

    /// The interval of a ratio, if this one is of its logarithm.
    package var ofRatio: Interval {
      Interval(lower: Double.exp(lower), upper: Double.exp(upper), coverage: coverage)
    }
  }

  /// The number of pairs compared.
  public let pairs: Int

  /// The median of numerator over denominator, greater than zero and finite.
  public let ratio: Double

  /// The requested confidence.
  public let confidence: Double

  /// The interval of this confidence, or nil if there are too few pairs for it.
  public let interval: Interval?

  /// Compares durations that several processes measured, one after the other.
  ///
  /// The ratio is the trimmed mean of the processes' medians, and the interval is about processes
  /// (`LocationEstimate`): pairs of one are not independent of each other.
  ///
  /// `launches` has the number of pairs of each process; without it, the pairs of the only process are
  /// judged.
  ///
  /// - Throws: A `SampleError`.
  package init(
    numerators: [UInt64], denominators: [UInt64], launches: [Int]?, confidence: Double = 0.98
  ) throws(SampleError) {
    let pooled = try PairedRatio(
      numerators: numerators, denominators: denominators, confidence: confidence)
    guard let launches, launches.reduce(0, +) == numerators.count else {
      self = pooled
      return
    }
    var medians: [Double] = []
    var start = 0
    for count in launches where count > 0 {
      let range = start..<start + count
      let logs = zip(numerators[range], denominators[range]).map {
        Double.log(Double($0)) - Double.log(Double($1))
      }
      medians.append(try SortedSamples(logs).median)
      start += count
    }
    let estimate = LocationEstimate(try SortedSamples(medians))
    pairs = pooled.pairs
    ratio = Double.exp(estimate.center)
    self.confidence = confidence
    interval = estimate.interval(tail: (1 - confidence) / 2)?.ofRatio
  }

  /// Compares durations in nanoseconds; those with the same index are a pair.
  ///
  /// - Parameters:
  ///   - numerators: The durations of one arm.
  ///   - denominators: The durations of the other arm, of the same number.
  ///   - confidence: The chance, between zero and one, that the interval contains the true
  ///     median ratio; 0.98 allows one miss in a hundred on each side and needs 7 pairs.
  /// - Throws: A `SampleError`: no pairs, different numbers of durations, a duration of
  ///   zero (which would make a ratio of zero, infinity or NaN), or an invalid confidence.
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
    // Ratios have the order of their logarithms, so this avoids the rounding of log and exp.
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
}

/// The ranks of sorted samples that enclose the true median, for any distribution.
///
/// Each of n independent samples is below the true median with a chance of one half. So the r-th
/// least of them is above it only if fewer than r are below, which has the chance P(Bin(n, ½) ≤ r-1); the
/// r-th greatest is below it with the same chance. This is exact for any continuous distribution, and
/// conservative if samples can be equal (David and Nagaraja, "Order Statistics", 3rd edition, 7.1).
public struct MedianInterval: Sendable, Hashable, Codable {
  /// The rank, from one, of the lower end in ascending order, and of the upper end in descending order.
  public let rank: Int

  /// The chance that the interval contains the true median; at least the requested confidence.
  public let coverage: Double

  /// Finds the narrowest interval of at least the given confidence.
  ///
  /// - Parameters:
  ///   - count: The number of samples.
  ///   - confidence: The chance of containing the median, between zero and one; half of the rest
  ///     is allowed on each side.
  /// - Returns: Nil if there are too few samples for this confidence: fewer than 7 for 0.98.
  /// - Throws: `SampleError.invalidConfidence`.
  /// - Complexity: O(n) for n samples.
  public static func narrowest(
    count: Int, confidence: Double
  ) throws(SampleError) -> MedianInterval? {
    guard confidence > 0, confidence < 1 else { throw .invalidConfidence(confidence) }
    return narrowest(count: count, tail: (1 - confidence) / 2)
  }

  /// Finds the greatest rank r with P(Bin(count, ½) ≤ r-1) ≤ tail, for a tail below one half.
  package static func narrowest(count: Int, tail: Double) -> MedianInterval? {
    var found: MedianInterval?
    var heads = HeadChances(coins: count)
    for rank in stride(from: 1, through: count, by: 1) {
      let chance = heads.next()
      guard chance <= tail else { break }
      found = MedianInterval(rank: rank, coverage: 1 - 2 * chance)
    }
    return found
  }
}

/// The chances of at most 0, 1, 2 … heads among fair coins, in sequence.
///
/// The coefficients C(n, j) are summed exactly while the sum is below 2^53, and otherwise with a relative
/// error of at most about n roundings of 2^-53: 10^-10 for 100,000 coins. The power of two is applied last,
/// so nothing underflows: every chance that a `Double` can represent is found for any number of coins.
private struct HeadChances {
  private let coins: Int
  private var heads = 0
  // C(n, k) and the sum up to k, both scaled by two to the exponent: the smallest chance, 2^-n, is below
  // the range of Double beyond 1074 coins.
  private var coefficient = 1.0
  private var sum = 0.0
  private var exponent: Int

  init(coins: Int) { (self.coins, exponent) = (coins, -coins) }

  mutating func next() -> Double {
    sum += coefficient
    defer {
      // Multiplication first keeps small coefficients exact integers.
      coefficient = coefficient * Double(coins - heads) / Double(heads + 1)
      heads += 1
      if coefficient > 0x1p500 {
        (coefficient, sum, exponent) = (coefficient * 0x1p-500, sum * 0x1p-500, exponent + 500)
      }
    }
    return Double(sign: .plus, exponent: exponent, significand: sum)
  }
}
