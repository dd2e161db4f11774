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
    let places = boundaries.contains(.forceThreshold) ? thresholds : []
    return Gen { testCase throws(Discarded) in
      testCase.double(in: 0...2 * maximum) { $0.force(maximum, places) }
    }
  }
}

extension SplitMix64 {
  /// A force of `Gen<Double>.forces`.
  mutating func force(_ maximum: Double, _ thresholds: [Double]) -> Double {
    let grid = UInt64((maximum * 60).rounded(.down))
    switch next(upTo: thresholds.isEmpty ? 9 : 13) {
    case 0...5: return Double(next(upTo: grid)) / 60
    case 6, 7: return double(in: 0...maximum)
    case 8: return element(of: [0, maximum])
    case 9: return double(in: maximum...2 * maximum)
    default: return max(element(of: thresholds).stepped(steps()), 0)
    }
  }
}
