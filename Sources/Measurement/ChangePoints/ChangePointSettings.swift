/// What counts as a change of level in a history.
package struct ChangePointSettings: Sendable, Hashable, Codable {
  /// How many runs are searched for change points at a time.
  package var window: Int
  /// The p-value up to which a change is significant; weak candidates may have ten times as much.
  package var maximumP: Double
  /// The least change that matters, as a fraction; 0.025 is a ratio of 1.025 or of its reciprocal.
  package var minimumMagnitude: Double
  /// The fewest runs that make a level; fewer are spikes.
  package var minimumSegment: Int

  /// Puts settings together.
  ///
  /// The defaults of window and p-value are those of Apache Otava (Fleming et al., "Hunter",
  /// ICPE 2023). The magnitude is half of the 5 % that shall surely be found: with a bound equal
  /// to the step, half of the steps are missed.
  ///
  /// - Parameters:
  ///   - window: At least four times `minimumSegment`.
  ///   - maximumP: Above zero, at most 0.1.
  ///   - minimumMagnitude: Zero or more.
  ///   - minimumSegment: At least 2, for a variance.
  package init(
    window: Int = 50, maximumP: Double = 0.001, minimumMagnitude: Double = 0.025,
    minimumSegment: Int = 3
  ) {
    self.window = window
    self.maximumP = maximumP
    self.minimumMagnitude = minimumMagnitude
    self.minimumSegment = minimumSegment
  }

  /// Refuses what the method cannot work with.
  func validate() throws(SeriesError) {
    guard (2...1000).contains(minimumSegment) else {
      throw .invalidSetting("minimumSegment \(minimumSegment) is not 2 to 1000")
    }
    // The pair sums of a window are a square table: 10,000 would be 800 MB.
    guard (4 * minimumSegment...4000).contains(window) else {
      throw .invalidSetting("window \(window) is not \(4 * minimumSegment) to 4000")
    }
    guard maximumP > 0, maximumP <= 0.1 else {
      throw .invalidSetting("maximumP \(maximumP) is not above 0 and at most 0.1")
    }
    guard minimumMagnitude >= 0, minimumMagnitude.isFinite else {
      throw .invalidSetting("minimumMagnitude \(minimumMagnitude) is not 0 or more")
    }
  }
}
