/// How much slower a candidate is than its base, and how sure that is.
package struct ChangeEstimate: Sendable, Hashable, Codable {
  /// What the interval counts as one independent observation.
  package enum Unit: String, Sendable, Hashable, Codable {
    /// Each pair of samples.
    case pair
    /// Each launch, because launches differ by more than their pairs explain.
    case launch
  }

  /// How many pairs of samples there were.
  package var pairs: Int
  /// How many launches they came from.
  package var launches: Int
  /// Candidate over base: 1.05 is five per cent slower.
  package var ratio: Double
  /// Two ratios that enclose the true one; nil if there are too few samples.
  package var interval: PairedRatio.Interval?
  /// What the interval is made of.
  package var unit: Unit
  /// The robust standard deviation of the logarithm of one pair's ratio.
  package var spread: Double
  /// The least change, as a fraction, that so many pairs would have found nine times in ten.
  package var detectableChange: Double?
  /// The chance of so many pairs beyond the margin if the true change were just the margin.
  ///
  /// Where launches are the unit, that of so great a signed-rank statistic of their medians.
  package var chance: Double
  /// What this estimate alone says, before confirmation and the correction for many cases.
  package var verdict: Verdict

  /// Puts an estimate together.
  package init(
    pairs: Int, launches: Int, ratio: Double, interval: PairedRatio.Interval?, unit: Unit,
    spread: Double, detectableChange: Double?, chance: Double, verdict: Verdict
  ) {
    self.pairs = pairs
    self.launches = launches
    self.ratio = ratio
    self.interval = interval
    self.unit = unit
    self.spread = spread
    self.detectableChange = detectableChange
    self.chance = chance
    self.verdict = verdict
  }
}
