import RealModule

/// The slow-down of a candidate relative to its base, with its uncertainty.
public struct ChangeEstimate: Sendable, Hashable, Codable {
  /// The number of pairs of samples.
  public var pairs: Int
  /// The number of launches.
  public var launches: Int
  /// The candidate's time divided by the base's: 1.05 is five per cent slower.
  public var ratio: Double
  /// A confidence interval of the ratio, over launches; nil if there are too few.
  public var interval: PairedRatio.Interval?
  /// The robust standard deviation of the logarithm of one pair's ratio.
  public var spread: Double
  /// The least change, as a fraction, that this many pairs would find nine times in ten.
  public var detectableChange: Double?
  /// The chance of an estimate this far beyond the margin, on its side, if the true change equals the margin.
  public var chance: Double
  /// The verdict of this estimate alone, before confirmation and the correction for many cases.
  public var verdict: Verdict

  package init(
    pairs: Int, launches: Int, ratio: Double, interval: PairedRatio.Interval?, spread: Double,
    detectableChange: Double?, chance: Double, verdict: Verdict
  ) {
    (self.pairs, self.launches, self.ratio, self.interval) = (pairs, launches, ratio, interval)
    (self.spread, self.detectableChange) = (spread, detectableChange)
    (self.chance, self.verdict) = (chance, verdict)
  }
}

extension ChangeEstimate {
  /// The z of a power of nine in ten: the bound that a standard normal number exceeds once in ten times.
  private static let zOfPower = 1.2815515655446004

  /// Estimates the change from the pairs of some launches.
  ///
  /// Each launch contributes the median logarithm of its pairs' ratios of candidate to base. Launches are
  /// independent of each other; pairs are not, because all pairs of a launch share its processes, their
  /// memory layout, and the time. The change is the trimmed mean of the launches' medians, and the interval
  /// is over launches (`LocationEstimate`).
  ///
  /// With the interval L to U: slower if L is above 1 + margin, faster if U is below its
  /// reciprocal, the same if both are within 1 + sameMargin and its reciprocal, else inconclusive.
  /// "The same" is a pair of one-sided tests, the others are one each. A change between the margins can be
  /// both slower and the same; it is called slower or faster.
  ///
  /// The least detectable change is exp(ln(1 + margin) + (t of the error rate + z of the power) s) minus 1,
  /// with the standard error s of the estimate. It serves to plan a next run, not for verdicts.
  ///
  /// - Parameters:
  ///   - launches: The launches, in any order.
  ///   - clock: The clock to judge by.
  ///   - settings: The two margins; with a negative margin or NaN, the verdict is inconclusive.
  ///   - errorRate: The chance, on each side, that the interval misses; between zero and one half.
  /// - Throws: A `SampleError`: no pairs, a pair without its partner or with a duration of zero, or
  ///   `.invalidConfidence` of 1 - 2 · errorRate.
  package init(
    of launches: [PairedLaunch], clock: PairedLaunch.Clock, settings: GateSettings,
    errorRate: Double
  ) throws(SampleError) {
    guard errorRate > 0, errorRate < 0.5 else { throw .invalidConfidence(1 - 2 * errorRate) }
    let ratios = try LaunchRatios(of: launches, clock: clock)
    let margin = Double.log(onePlus: settings.margin)
    let estimate = LocationEstimate(try SortedSamples(ratios.medians))
    let interval = estimate.interval(tail: errorRate)
    let detectable = estimate.standardError.flatMap { error in
      estimate.reach(tail: errorRate).map {
        Double.expMinusOne(margin + $0 + Self.zOfPower * error)
      }
    }
    self.init(
      pairs: ratios.pooled.count, launches: ratios.medians.count,
      ratio: Double.exp(estimate.center),
      interval: interval?.ofRatio, spread: ratios.pooled.robustDeviation,
      detectableChange: detectable.flatMap { $0.isFinite ? $0 : nil },
      chance: estimate.chance(beyond: margin),
      verdict: Self.verdict(
        of: interval, margin: margin, sameMargin: Double.log(onePlus: settings.sameMargin)))
  }

  /// Judges an interval of logarithms against logarithms of margins.
  private static func verdict(
    of interval: PairedRatio.Interval?, margin: Double, sameMargin: Double
  ) -> Verdict {
    // The comparison with zero also rejects NaN, the logarithm of a margin below -1.
    guard let interval, margin >= 0, sameMargin >= 0 else { return .inconclusive }
    if interval.lower > margin { return .slower }
    if interval.upper < -margin { return .faster }
    if interval.lower > -sameMargin, interval.upper < sameMargin { return .same }
    return .inconclusive
  }
}

/// The result of a comparison of two builds for one case.
///
/// There are three answers and a refusal: a noisy run must be read neither as "no change" nor as "slower".
public enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
  /// The whole interval is above the margin, and a second measurement in fresh processes agrees.
  case slower
  /// The whole interval is below the margin's reciprocal, and a second measurement agrees.
  case faster
  /// The whole interval is within the wider margin of "no change that matters".
  case same
  /// The samples were too few or too noisy for a verdict, or the run was contaminated.
  case inconclusive
}
