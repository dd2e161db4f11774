import RealModule

/// The margins and the effort of a comparison.
public struct GateSettings: Sendable, Hashable, Codable {
  /// A change up to this fraction is never called slower or faster; 0.01 is one per cent.
  public var margin: Double
  /// A change that is certainly below this fraction is called the same.
  public var sameMargin: Double
  /// The chance, over all looks together, of calling a case slower whose change equals the margin.
  public var errorRate: Double
  /// The numbers of launches at which the samples are looked at; the last is the maximum.
  public var looks: [Int]
  /// The number of pairs of samples per launch.
  public var pairsPerLaunch: Int
  /// The fewest launches of the second measurement that confirms a change.
  ///
  /// A first measurement that stopped early may have overstated the change and its precision. In
  /// simulations of +3 %, 26 launches confirm 99 of 100 changes, 16 confirm 98, and 8 confirm 96.
  public var confirmingLaunches: Int

  /// Creates settings; the reasons for the defaults are given where they are used.
  public init(
    margin: Double = 0.01, sameMargin: Double = 0.03, errorRate: Double = 0.01,
    looks: [Int] = [6, 10, 16, 26, 40], pairsPerLaunch: Int = 20, confirmingLaunches: Int = 26
  ) {
    (self.margin, self.sameMargin, self.errorRate) = (margin, sameMargin, errorRate)
    (self.looks, self.pairsPerLaunch) = (looks, pairsPerLaunch)
    self.confirmingLaunches = confirmingLaunches
  }
}

extension GateSettings {
  /// The margin if each build has only one layout.
  ///
  /// Two builds of one source differ by the effect of their layouts: by less than 1 % for most cases, and by
  /// 2 % for a tight loop. All launches share the two layouts, so no interval includes this effect, and the
  /// margin must cover it. Of simulated comparisons of such a loop, a margin of 1 % called 36 in 100 slower
  /// or faster, and 3 % called 7; if the layouts differ by 1.5 %, these are 22 and 1.
  package static let oneLayoutMargin = 0.03

  /// The reason that no comparison can have these settings, in a clause without a full stop; nil if one can.
  package var problem: String? {
    guard margin >= 0, margin < sameMargin, sameMargin.isFinite else {
      return "margins of \(margin) for slower and \(sameMargin) for the same do not satisfy 0 ≤ "
        + "the first < the second"
    }
    guard errorRate > 0, errorRate < 0.5 else {
      return "an error rate of \(errorRate) is not between 0 and 0.5"
    }
    guard let first = looks.first, first > 0, zip(looks, looks.dropFirst()).allSatisfy(<) else {
      return "looks after \(looks) launches are not ascending numbers above 0"
    }
    guard pairsPerLaunch > 1 else { return "\(pairsPerLaunch) is too few pairs per launch" }
    guard confirmingLaunches > 0 else {
      return "\(confirmingLaunches) is too few confirming launches"
    }
    return nil
  }

  /// The settings for checks, which have the usual margins in every run.
  ///
  /// A canary of 5 % more work would never exceed a margin of 5 %.
  package var ofChecks: GateSettings {
    var settings = self
    (settings.margin, settings.sameMargin) = (GateSettings().margin, GateSettings().sameMargin)
    return settings
  }

  /// Returns the settings of a second measurement: one look, after a number of launches fixed in advance.
  ///
  /// Looks that stop as soon as they are certain overstate the change. A single look does not, so its
  /// estimate is the one to show. It must confirm the first measurement in 999 of 1,000 cases, if the true
  /// change is one standard error less than the first estimate, because the first stopped when its estimate
  /// was large. The scatter of launches is known only from the first measurement, so Student's quantile
  /// with its degrees of freedom replaces the normal quantile (Stein, "A two-sample test for a linear
  /// hypothesis whose power is independent of the variance", Annals of Mathematical Statistics 16, 1945).
  ///
  /// - Parameters:
  ///   - first: The result of the first measurement: slower, faster or the same.
  ///   - cases: The number of cases judged together. For very many, Holm's correction requires more
  ///     than the error rate.
  /// - Returns: The same margins and error rate with a single look.
  package func confirming(_ first: ChangeEstimate, among cases: Int = 1) -> GateSettings {
    var settings = self
    let most = max(looks.last ?? 0, confirmingLaunches)
    // The square of this chance is the error rate divided by the cases, so it passes the correction.
    let tail = min(errorRate, (errorRate / Double(max(cases, 1))).squareRoot())
    // A change that is not confirmed is missed, while an unconfirmed "same" is only measured again. So a
    // third of the launches is enough for "same".
    let fewest = first.verdict == .same ? max(1, confirmingLaunches / 3) : confirmingLaunches
    let enough = (fewest..<most).first { isEnough($0, after: first, tail: tail) }
    settings.looks = [enough ?? most]
    return settings
  }

  /// Whether this number of launches would very likely confirm a measurement.
  private func isEnough(
    _ launches: Int, after first: ChangeEstimate, tail wanted: Double
  ) -> Bool {
    let kept = LocationEstimate.kept(of: launches)
    guard kept > 1, first.launches > 1, let interval = first.interval else { return false }
    // The standard error, from the half width of the interval.
    let half = (Double.log(interval.upper) - Double.log(interval.lower)) / 2
    let freedom = StudentT(
      degreesOfFreedom: Double(LocationEstimate.kept(of: first.launches) - 1))
    let tail = (1 - interval.coverage) / 2
    guard tail > 0, tail < 0.5 else { return false }
    let error = half / freedom.quantile(upperTail: tail)
    let change = Double.log(first.ratio).magnitude
    let distance =
      first.verdict == .same
      ? Double.log(onePlus: sameMargin) - change - error
      : change - Double.log(onePlus: margin) - error
    let expected = error * (Double(first.launches) / Double(launches)).squareRoot()
    let reach =
      StudentT(degreesOfFreedom: Double(kept - 1)).quantile(upperTail: wanted)
      + freedom.quantile(upperTail: 0.001)
    return reach * expected <= distance
  }
}
