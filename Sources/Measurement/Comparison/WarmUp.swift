/// How many samples a fresh process needs until it runs as it will go on running.
package enum WarmUp {
  /// The most samples that are dropped, steady or not: more would hide a build that warms slowly.
  package static let most = 10

  /// How many samples are compared with how many after them.
  package static let window = 5

  /// How far apart, as a fraction of the lesser, two medians may be that count as equal.
  package static let tolerance = 0.05

  /// Returns how many of the first samples to drop.
  ///
  /// The least number after which the median of five samples and that of the five after them are
  /// within 5 % of each other. Native code has no compiler to wait for: what is left are caches and
  /// lazy initialisation, which a few samples get over. A slow start that stays at one level for
  /// eight samples or more looks steady, and is not seen.
  ///
  /// - Parameter nanoseconds: The samples of a process in order.
  /// - Returns: From zero to `most`. If the samples never settle or end before they are seen to,
  ///   the last number that could be tried; zero for fewer than ten samples.
  package static func samplesToDrop(_ nanoseconds: [UInt64]) -> Int {
    let last = min(most, nanoseconds.count - 2 * window)
    guard last >= 0 else { return 0 }
    return (0...last).first { isSteady(nanoseconds[$0..<($0 + 2 * window)]) } ?? last
  }

  private static func isSteady(_ samples: ArraySlice<UInt64>) -> Bool {
    let before = Double(samples.prefix(window).sorted()[window / 2])
    let after = Double(samples.suffix(window).sorted()[window / 2])
    return max(before, after) <= min(before, after) * (1 + tolerance)
  }
}
