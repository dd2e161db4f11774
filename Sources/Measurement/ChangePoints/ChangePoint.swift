/// A change that the values of a history show: where it is, which way it went, and how far.
package struct ChangePoint: Sendable, Hashable, Codable {
  /// The shape of a change.
  package enum Kind: String, Sendable, Hashable, Codable {
    /// From one run to the next: one commit is to blame.
    case step
    /// Little by little over many runs.
    case drift
  }

  /// The direction; values are times or ratios of times, so more is slower.
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
  package let plausible: ClosedRange<Int>

  /// The level after over the level before.
  package let ratio: Double

  /// The chance of a difference this great between the two sides if there is none.
  ///
  /// By a two-sided t test of the logarithms, as an upper bound that allows for the search for the
  /// place. Correlated runs are allowed for as far as a short history shows their correlation.
  package let pValue: Double

  /// The direction of the change.
  package var direction: Direction { ratio > 1 ? .slower : .faster }

  package init(
    _ kind: Kind, index: Int? = nil, plausible: ClosedRange<Int>, ratio: Double,
    pValue: Double = 0
  ) {
    self.kind = kind
    self.index = index ?? plausible.lowerBound
    self.plausible = plausible
    self.ratio = ratio
    self.pValue = pValue
  }

  /// Whether this and a change found a run before or after are the same one.
  ///
  /// With each run more, the place of a change is known better and moves a little. So they are the
  /// same if they go the same way and their plausible runs overlap, or miss each other by no more
  /// than a shortest level: closer changes cannot be distinguished.
  package func isSame(as other: ChangePoint) -> Bool {
    direction == other.direction
      && plausible.lowerBound - ChangePoints.shortestLevel <= other.plausible.upperBound
      && other.plausible.lowerBound - ChangePoints.shortestLevel <= plausible.upperBound
  }
}

/// A value of a history is not a usable ratio: not above zero, not finite, or beyond 2^±900.
package struct NotARatio: Error, Sendable, Hashable, CustomStringConvertible {
  package let index: Int

  /// One sentence for people, without a full stop.
  package var description: String {
    "value \(index) of the history is not a positive number of usable size"
  }
}
