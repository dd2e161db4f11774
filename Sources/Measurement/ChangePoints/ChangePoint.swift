/// A change in the values of a history: its place, its direction and its size.
package struct ChangePoint: Sendable, Hashable, Codable {
  package enum Kind: String, Sendable, Hashable, Codable {
    /// A change between two runs, caused by one commit.
    case step
    /// A gradual change over many runs.
    case drift
  }

  /// The direction; values are times or ratios of times, so more is slower.
  package enum Direction: String, Sendable, Hashable, Codable {
    case slower, faster
  }

  package let kind: Kind

  /// The index of the first run that is no longer on the old level.
  package let index: Int

  /// The values that `index` may have.
  ///
  /// For a step, these are the places that fit nearly as well as the best one; see `StepLocation`. Bisect
  /// the commits of these runs, since each may be the culprit. For a drift, these are all runs of the
  /// climb, from the first off the old level to the first on the new one.
  package let plausible: ClosedRange<Int>

  /// The level after the change divided by the level before.
  package let ratio: Double

  /// The chance of a difference this great without a change.
  ///
  /// It is an upper bound from a two-sided t test of the logarithms, corrected for the search for the
  /// place. The correlation of runs is included as far as a short history shows it.
  package let pValue: Double

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

  /// Whether this change and one found a run earlier or later are the same.
  ///
  /// With each further run, the place of a change becomes more precise and moves a little. So two changes
  /// are the same if their directions agree and their plausible runs overlap, or are at most a shortest
  /// level apart: closer changes cannot be distinguished.
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
