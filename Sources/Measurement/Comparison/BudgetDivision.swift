import RealModule

/// Divides the time that is left among the cases that are not decided yet.
///
/// Neyman's allocation: the sum of the variances of all estimates is least, for the time they take,
/// if pairs are proportional to σ/√cost ("On the two different aspects of the representative
/// method", Journal of the Royal Statistical Society 97, 1934). What a case has already counts
/// towards its share, and none gets more launches than it needs. Cases that not even the most
/// launches would settle share what the others leave.
package struct BudgetDivision: Sendable, Hashable {
  /// What is known of an undecided case.
  package struct Case: Sendable, Hashable {
    /// The robust standard deviation of the logarithm of one pair's ratio.
    package var spread: Double
    /// Seconds that a launch takes, with all its pairs.
    package var launchSeconds: Double
    /// How many launches there have been.
    package var launchesDone: Int

    /// Describes a case.
    ///
    /// A spread that is negative or not finite, or a launch that would take no time or not a finite
    /// one, gets the case no launches.
    package init(spread: Double, launchSeconds: Double, launchesDone: Int) {
      self.spread = spread
      self.launchSeconds = launchSeconds
      self.launchesDone = launchesDone
    }
  }

  /// How many further launches each case gets, in the order of the cases.
  package let launches: [Int]

  /// Divides a time.
  ///
  /// - Parameters:
  ///   - seconds: What is left of the budget.
  ///   - cases: The undecided cases.
  ///   - settings: The margins, the error rate, the looks, and the pairs of a launch.
  package init(seconds: Double, among cases: [Case], settings: GateSettings) {
    var plans = cases.map { LaunchPlan($0, settings: settings) }
    let hopeful = plans.indices.filter { plans[$0].canSettle }
    let hopeless = plans.indices.filter { !plans[$0].canSettle }
    var left = max(seconds, 0)
    for group in [hopeful, hopeless] { LaunchPlan.divide(&left, among: group, of: &plans) }
    launches = plans.map(\.granted)
  }

  /// How many pairs tell a change of `sameMargin` from one of `margin` nine times in ten.
  ///
  /// N = (π/2) (z of the error rate + z of the power)² σ² / (ln(1 + sameMargin) - ln(1 + margin))²,
  /// the variance of a median of normal numbers solved for their count, with what the last look may
  /// spend of the error rate (see `SequentialComparison`); never fewer than the pairs without which
  /// that look has no interval.
  ///
  /// - Parameters:
  ///   - spread: The robust standard deviation of one pair.
  ///   - settings: The margins, the error rate and the looks.
  /// - Returns: A whole number, or infinity or NaN for a spread or settings that are no use.
  package static func pairsNeeded(spread: Double, settings: GateSettings) -> Double {
    guard let last = settings.looks.last else { return .nan }
    let before = settings.looks.dropLast().last ?? 0
    let tail = settings.errorRate * Double(last - before) / Double(last)
    let reach =
      NormalDistribution.bound(upperTail: tail)
      + NormalDistribution.bound(upperTail: 1 - ChangeEstimate.power)
    let gap = Double.log(onePlus: settings.sameMargin) - Double.log(onePlus: settings.margin)
    let deviations = LocationEstimate.medianDeviation * reach * spread / gap
    let needed = deviations * deviations
    let fewest = -Double.log2(tail)
    return (needed < fewest ? fewest : needed).rounded(.up)
  }
}
