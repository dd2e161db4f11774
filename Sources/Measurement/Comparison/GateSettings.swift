/// What a comparison calls slower and the same, and how hard it looks.
package struct GateSettings: Sendable, Hashable, Codable {
  /// A change up to this fraction is never called slower or faster; 0.01 is one per cent.
  ///
  /// Two builds of the same source differ by up to this much for reasons of layout alone.
  package var margin: Double
  /// A change that is known to be below this fraction is called the same.
  package var sameMargin: Double
  /// The chance, over all looks together, of calling a case slower whose change is the margin.
  package var errorRate: Double
  /// After how many launches the samples are looked at; the last is the most there may be.
  package var looks: [Int]
  /// How many pairs of samples each launch gives.
  package var pairsPerLaunch: Int
  /// How many launches a "slower" is measured again with before it counts.
  package var confirmingLaunches: Int

  /// Puts settings together; each default is argued for where it is used.
  ///
  /// - Parameters:
  ///   - margin: The fraction from which on a change matters.
  ///   - sameMargin: The fraction below which a change is none; greater than `margin`.
  ///   - errorRate: One-sided, for each case, all looks together.
  ///   - looks: Ascending numbers of launches.
  ///   - pairsPerLaunch: Pairs for each launch.
  ///   - confirmingLaunches: Launches of the second measurement.
  package init(
    margin: Double = 0.01, sameMargin: Double = 0.03, errorRate: Double = 0.01,
    looks: [Int] = [4, 8, 14, 24, 40], pairsPerLaunch: Int = 20, confirmingLaunches: Int = 8
  ) {
    self.margin = margin
    self.sameMargin = sameMargin
    self.errorRate = errorRate
    self.looks = looks
    self.pairsPerLaunch = pairsPerLaunch
    self.confirmingLaunches = confirmingLaunches
  }
}
