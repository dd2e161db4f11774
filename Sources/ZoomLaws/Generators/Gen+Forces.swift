public import PropertyTesting

extension Gen where Value == Double {
  /// Forces of a touch, from 0 to a little above the greatest one.
  ///
  /// Screens report multiples of 1/60, so most are on that grid; others are off it, on a threshold
  /// or within two ulps of it. No force is the simplest.
  ///
  /// - Parameters:
  ///   - maximum: the greatest force of the screen; positive and finite.
  ///   - thresholds: the forces at which a press counts.
  ///   - boundaries: without `.forceThreshold`, the thresholds are met only by chance.
  /// - Returns: Such a generator.
  public static func forces(
    maximum: Double = 400.0 / 60, thresholds: [Double] = [],
    near boundaries: Set<Boundary> = Set(Boundary.allCases)
  ) -> Gen {
    precondition(
      maximum > 0 && maximum.isFinite, "forces(maximum:thresholds:near:) needs a positive maximum")
    let steps = Int((maximum * 60).rounded(.down))
    let onGrid = Gen<Int>.integer(in: 0...steps).map { Double($0) / 60 }
    var choices: [(Int, Gen)] = [
      (6, onGrid),
      (2, .double(in: 0...maximum)),
      (1, .element(of: [0, maximum])),
      (1, .double(in: maximum...2 * maximum)),
    ]
    if boundaries.contains(.forceThreshold), !thresholds.isEmpty {
      choices.append((4, Gen<Double>.element(of: thresholds).nextTo()))
    }
    return .weighted(choices)
  }
}
