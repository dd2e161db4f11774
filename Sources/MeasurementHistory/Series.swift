/// One measure of one case over the runs of one machine.
package struct Series: Sendable, Hashable, Codable {
  /// One run's value.
  package struct Point: Sendable, Hashable, Codable {
    package var run: String
    package var revision: RunRecord.Revision
    /// ISO 8601, in UTC.
    package var startedAt: String
    package var value: Double
    package var lower: Double?
    package var upper: Double?
  }

  /// Values that may be compared, in the order of runs.
  package struct Segment: Sendable, Hashable, Codable {
    /// The commit that all values are ratios to; nil for other measures.
    package var baseline: String?
    package var points: [Point]
  }

  /// A run that has a value, which is not used.
  package struct Exclusion: Sendable, Hashable, Codable {
    package var run: String
    /// Without a full stop.
    package var reason: String
  }

  /// The case's name.
  package var name: String
  /// The measure's name.
  package var measure: String
  /// The machine's fingerprint.
  package var machine: String
  /// One for each baseline, that of the newest run last.
  package var segments: [Segment]
  package var excluded: [Exclusion]
}
