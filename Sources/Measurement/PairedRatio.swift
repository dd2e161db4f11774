import RealModule

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
  /// Two numbers that enclose the true one.
  public struct Interval: Sendable, Hashable, Codable {
    /// The lower end; of ratios it is greater than zero.
    public let lower: Double

    /// The upper end.
    public let upper: Double

    /// The chance that the ends enclose it; at least what was asked for.
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

  /// Compares durations that several processes measured, one after the other.
  ///
  /// The ratio is the trimmed mean of the processes' medians, and the interval is about processes
  /// (`LocationEstimate`): pairs of one are not independent of each other.
  ///
  /// - Parameters:
  ///   - numerators: The durations of one arm, in the order of the processes.
  ///   - denominators: The durations of the arm it is divided by, as many.
  ///   - launches: How many pairs each process measured; nil for one process, whose pairs are judged.
  ///   - confidence: The chance that the interval has to enclose the true ratio.
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
    interval = estimate.interval(tail: (1 - confidence) / 2).map {
      Interval(
        lower: Double.exp($0.lower), upper: Double.exp($0.upper), coverage: $0.coverage)
    }
  }

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
    (self.pairs, self.ratio, self.confidence, self.interval) = (pairs, ratio, confidence, interval)
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

/// Which sorted samples enclose the true median, whatever the distribution.
///
/// Each of n independent samples lies below the true median with chance one half. So the r-th
/// least of them lies above it only if fewer than r do, which has the chance P(Bin(n, ½) ≤ r-1); the
/// r-th greatest lies below it with the same chance. This is exact for any continuous
/// distribution, and errs to the safe side if samples can be equal (David and Nagaraja, "Order
/// Statistics", 3rd edition, 7.1).
public struct MedianInterval: Sendable, Hashable, Codable {
  /// The rank, from one, of the lower end in ascending order, and of the upper in descending order.
  public let rank: Int

  /// The chance that both ends enclose the true median; at least the confidence asked for.
  public let coverage: Double

  /// Finds the narrowest interval of at least the given confidence.
  ///
  /// - Parameters:
  ///   - count: How many samples there are.
  ///   - confidence: The chance of enclosing the median, between zero and one; half of the rest
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
    var heads = BinomialTail.Sums(coins: count)
    for rank in stride(from: 1, through: count, by: 1) {
      let chance = heads.next()
      guard chance <= tail else { break }
      found = MedianInterval(rank: rank, coverage: 1 - 2 * chance)
    }
    return found
  }
}

/// The chance of so many heads among fair coins: the distribution behind the sign test.
package enum BinomialTail {
  /// Returns the chance that a binomial variable with success chance one half is at least a count.
  ///
  /// The coefficients C(n, j) of the shorter tail are summed as they are, and the power of two is
  /// applied last, so nothing underflows on the way: a tail whose own value is a `Double` is found
  /// whatever the number of trials. It is exact while the sum is below 2^53, and otherwise carries
  /// a relative error of at most some n roundings of 2^-53: 10^-10 for 100,000 trials.
  ///
  /// - Parameters:
  ///   - count: The count to reach; any integer.
  ///   - trials: How many coins are thrown; none for numbers below zero.
  /// - Returns: P(Bin(trials, ½) ≥ count), from zero to one.
  /// - Complexity: O(trials).
  package static func atLeast(_ count: Int, of trials: Int) -> Double {
    let trials = max(trials, 0)
    if count <= 0 { return 1 }
    if count > trials { return 0 }
    // P(X ≥ k) = P(X ≤ n - k), and of the two tails the lower half is the shorter sum.
    let missing = trials - count
    return missing < count
      ? atMost(missing, of: trials) : 1 - atMost(count - 1, of: trials)
  }

  private static func atMost(_ count: Int, of trials: Int) -> Double {
    var sums = Sums(coins: trials)
    for _ in 0..<count { _ = sums.next() }
    return sums.next()
  }

  /// The chances of at most 0, 1, 2 … heads, one after the other.
  struct Sums {
    private let coins: Int
    private var heads = 0
    // C(n, k) and the sum of it up to k, both to be multiplied by two to the exponent: the smallest
    // chance, 2^-n, is not a Double beyond 1074 coins.
    private var coefficient = 1.0
    private var sum = 0.0
    private var exponent: Int

    init(coins: Int) { (self.coins, exponent) = (coins, -coins) }

    mutating func next() -> Double {
      sum += coefficient
      defer {
        // Multiplied first, small coefficients stay exact integers.
        coefficient = coefficient * Double(coins - heads) / Double(heads + 1)
        heads += 1
        if coefficient > 0x1p500 {
          (coefficient, sum, exponent) = (coefficient * 0x1p-500, sum * 0x1p-500, exponent + 500)
        }
      }
      return Double(sign: .plus, exponent: exponent, significand: sum)
    }
  }
}
