import RealModule

/// How much slower a candidate is than its base, and how sure that is.
public struct ChangeEstimate: Sendable, Hashable, Codable {
  /// What the interval counts as one independent observation.
  public enum Unit: String, Sendable, Hashable, Codable {
    /// Each pair of samples: only in results that earlier versions wrote.
    case pair
    /// Each launch: its process, where its code lies, and what shares both.
    case launch
  }

  /// How many pairs of samples there were.
  public var pairs: Int
  /// How many launches they came from.
  public var launches: Int
  /// Candidate over base: 1.05 is five per cent slower.
  public var ratio: Double
  /// Two ratios that enclose the true one; nil if there are too few samples.
  public var interval: PairedRatio.Interval?
  /// What the interval is made of.
  public var unit: Unit
  /// The robust standard deviation of the logarithm of one pair's ratio.
  public var spread: Double
  /// The least change, as a fraction, that so many pairs would have found nine times in ten.
  public var detectableChange: Double?
  /// The chance of an estimate so far beyond the margin if the true change were just the margin, to
  /// the side on which the estimate lies.
  public var chance: Double
  /// What this estimate alone says, before confirmation and the correction for many cases.
  public var verdict: Verdict

  package init(
    pairs: Int, launches: Int, ratio: Double, interval: PairedRatio.Interval?, unit: Unit,
    spread: Double, detectableChange: Double?, chance: Double, verdict: Verdict
  ) {
    (self.pairs, self.launches, self.ratio, self.interval) = (pairs, launches, ratio, interval)
    (self.unit, self.spread, self.detectableChange) = (unit, spread, detectableChange)
    (self.chance, self.verdict) = (chance, verdict)
  }
}

extension ChangeEstimate {
  /// How often the least detectable change is found.
  package static let power = 0.9

  /// Estimates the change from the pairs of some launches.
  ///
  /// Of each launch the median of its pairs' logarithms of candidate over base is taken. Launches,
  /// not pairs, are independent of each other: all pairs of one share its processes, where its code
  /// and its memory lie, and the moment. The change is the trimmed mean of the launches' medians, and
  /// the interval speaks of launches (`LocationEstimate`).
  ///
  /// With the interval L to U: slower if L is above 1 + margin, faster if U is below its
  /// reciprocal, the same if both lie within 1 + sameMargin and its reciprocal, else inconclusive.
  /// That is two one-sided tests in each case. A change between the margins can be both slower and
  /// the same; it is called slower or faster.
  ///
  /// The least detectable change is exp(ln(1 + margin) + (t of the error rate + z of the power) s)
  /// - 1 with the standard error s of the estimate: for the planning of a next run and not for a
  /// verdict.
  ///
  /// - Parameters:
  ///   - launches: The launches, in any order.
  ///   - clock: The clock to judge by.
  ///   - settings: The two margins. One that is negative or NaN supports no verdict.
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
    let estimate = LocationEstimate(try SortedSamples(try ratios.medians()))
    let interval = estimate.interval(tail: errorRate)
    let detectable = estimate.standardError.flatMap { error in
      estimate.reach(tail: errorRate).map { reach in
        Double.expMinusOne(
          margin + reach + NormalDistribution.bound(upperTail: 1 - Self.power) * error)
      }
    }
    self.init(
      pairs: ratios.pooled.count, launches: ratios.byLaunch.count,
      ratio: Double.exp(estimate.center),
      interval: interval.map { interval in
        PairedRatio.Interval(
          lower: Double.exp(interval.lower), upper: Double.exp(interval.upper),
          coverage: interval.coverage)
      },
      unit: .launch, spread: Summary(ratios.pooled).robustDeviation,
      detectableChange: detectable.flatMap { $0.isFinite ? $0 : nil },
      chance: estimate.chance(beyond: margin),
      verdict: Self.verdict(
        of: interval, margin: margin, sameMargin: Double.log(onePlus: settings.sameMargin)))
  }

  /// Judges an interval of logarithms against logarithms of margins.
  private static func verdict(
    of interval: PairedRatio.Interval?, margin: Double, sameMargin: Double
  ) -> Verdict {
    // The comparison with zero also refuses NaN, the logarithm of a margin below -1.
    guard let interval, margin >= 0, sameMargin >= 0 else { return .inconclusive }
    if interval.lower > margin { return .slower }
    if interval.upper < -margin { return .faster }
    if interval.lower > -sameMargin, interval.upper < sameMargin { return .same }
    return .inconclusive
  }
}

/// What a comparison of two builds says about one case.
///
/// Three answers and the refusal to answer: a noisy run must read neither as "no change" nor as
/// "slower".
public enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
  /// The whole interval lies above the margin, and a second measurement in fresh processes agrees.
  case slower
  /// The whole interval lies below the margin's reciprocal, and a second measurement agrees.
  case faster
  /// The whole interval lies within the wider margin of "no change that matters".
  case same
  /// The samples were too few or too noisy to tell, or the run was contaminated.
  case inconclusive
}
