/// Something new in the history of one case.
package struct GateFinding: Sendable, Hashable, Codable {
  /// What was found.
  package enum Kind: Sendable, Hashable, Codable {
    /// The newest two runs both lie outside of what the level before them foretells.
    case beyondPrediction(PredictionInterval)
    /// The level changed from one run to the next.
    case step(ChangePoint)
    /// The level moved over many runs.
    case drift(ChangePoint)
  }

  package let kind: Kind

  /// Which way it went.
  package let direction: ChangePoint.Direction

  /// The runs whose commits may have done it.
  package let range: ClosedRange<Int>

  /// The level after over the level before.
  package let ratio: Double

  /// Whether this and a finding of the run before or after speak of the same change.
  ///
  /// With each run more, the place of a change is known better and moves a little. So they are the
  /// same if they go the same way and their ranges overlap, or all but do.
  ///
  /// - Parameters:
  ///   - other: A finding in the same history, of the same indexes.
  ///   - slack: By how many runs they may miss each other; a shortest segment is a good choice, for
  ///     within that no two changes are told apart.
  /// - Returns: Whether one alert is enough for both.
  package func isSame(as other: GateFinding, slack: Int = 3) -> Bool {
    direction == other.direction
      && range.lowerBound - slack <= other.range.upperBound
      && other.range.lowerBound - slack <= range.upperBound
  }
}
