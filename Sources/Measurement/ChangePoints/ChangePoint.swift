/// Where a history went from one level to another.
package struct ChangePoint: Sendable, Hashable, Codable {
  /// How it went.
  package enum Kind: String, Sendable, Hashable, Codable {
    /// From one run to the next: one commit is to blame.
    case step
    /// Little by little over many runs.
    case drift
  }

  /// Which way it went; values are times or ratios of times, so more is slower.
  package enum Direction: String, Sendable, Hashable, Codable {
    case slower, faster
  }

  package let kind: Kind

  /// The index of the first run that is no longer on the old level.
  package let index: Int

  /// The indexes that `index` may truly have.
  ///
  /// For a step, those that fit nearly as well as the best one; see `StepLocation`. The commits to
  /// bisect are those of these runs, since each run's commit may be the culprit. For a drift, all
  /// runs of the climb: from the first off the old level to the first on the new one.
  package let range: ClosedRange<Int>

  /// The level after over the level before.
  ///
  /// For a step, of the medians up to the neighbouring change points; for a drift, of the fitted
  /// levels at the ends of the climb.
  package let ratio: Double

  /// The chance of a difference this great between the two sides if there is none.
  ///
  /// By a t test of the logarithms, two-sided. It is not corrected for the place having been
  /// chosen, so it orders change points rather than being their error rate.
  package let pValue: Double

  /// Which way it went.
  package var direction: Direction { ratio > 1 ? .slower : .faster }
}
