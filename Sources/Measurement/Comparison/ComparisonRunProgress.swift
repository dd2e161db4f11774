/// How far a comparison is.
package struct ComparisonRunProgress: Sendable, Hashable {
  /// What is being done.
  package enum Phase: Sendable, Hashable {
    /// Each case is opened once, to see how long it takes.
    case calibrating
    /// Launches are measured until each case is decided.
    case measuring
    /// What was slower is measured again.
    case confirming
  }

  package var phase: Phase
  /// The case of the last launch.
  package var caseName: String
  /// Launches done in this phase, and how many it will have unless more are needed.
  package var launches: Int
  package var plannedLaunches: Int
  /// Cases that are not decided yet.
  package var undecidedCases: Int
  package var elapsedSeconds: Double
}
