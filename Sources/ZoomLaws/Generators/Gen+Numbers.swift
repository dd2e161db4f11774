public import PropertyTesting
internal import ZoomGeometry

extension Gen where Value == Double {
  /// Scales of screens and peeks: 1, 2 and 3 pixels per point, or a fraction from 0.5 to 4.
  public static var scales: Gen {
    let fractions: [Double] = [1.5, 0.5, 2.5, 1.25, 4.0 / 3, 2.608695652173913]
    return Gen { testCase throws(Discarded) in
      testCase.double(in: 0.5...4) { random in
        switch random.next(through: 4) {
        case 0: nil
        case 1: random.element(of: fractions)
        default: random.element(of: [1, 2, 3])
        }
      }
    }
  }

  /// Numbers that are not a length: zero of either sign, negative, infinite, NaN.
  public static var invalidLengths: Gen {
    .element(of: [0, -0.0, -1, -375, -.leastNonzeroMagnitude, .infinity, -.infinity, .nan])
  }

  /// Numbers that are not a coordinate: infinite or NaN.
  public static var nonFinite: Gen { .element(of: [.nan, .infinity, -.infinity, -.nan]) }

  static var enlargements: Gen { .oneOf(.element(of: [2, 0.5]), .double(in: 0.25...4)) }

  /// The largest forces of hardware that measures force; the usual one is the simplest.
  static var maximumForces: Gen {
    .weighted([
      (3, .constant(GestureScript.usualMaximumForce)), (1, .element(of: [1, 6.6, 7, 4.2])),
    ])
  }
}

extension Double {
  /// Returns the number `steps` representable numbers above this one; below it if `steps` is negative.
  package func stepped(_ steps: Int) -> Double {
    var number = self
    for _ in 0..<abs(steps) { number = steps > 0 ? number.nextUp : number.nextDown }
    return number
  }
}

extension SplitMix64 {
  /// Returns a force from 0 to twice the largest, usually a multiple of 1/60 as screens report,
  /// sometimes any number or within two ulps of a threshold.
  mutating func force(_ maximum: Double, _ thresholds: [Double]) -> Double {
    let grid = UInt64((maximum * 60).rounded(.down))
    switch next(through: thresholds.isEmpty ? 9 : 13) {
    case 0...5: return Double(next(through: grid)) / 60
    case 6, 7: return double(in: 0...maximum)
    case 8: return element(of: [0, maximum])
    case 9: return double(in: maximum...2 * maximum)
    default: return max(element(of: thresholds).stepped(steps()), 0)
    }
  }

  mutating func steps() -> Int { Int(next(through: 4)) - 2 }

  /// Returns a length in a range, with the same probability for every order of magnitude.
  ///
  /// Three eighths are made odd; an eighth are primes, which leave a remainder in every tiling and
  /// halving; and an eighth are near sizes that code often handles wrongly.
  package mutating func length(in range: ClosedRange<Int>) -> Int {
    let length =
      switch next() & 7 {
      case 0: element(of: Self.primes)
      case 1: element(of: Self.landmarks)
      case 2, 3, 4: magnitude(in: range) | 1
      default: magnitude(in: range)
      }
    return min(max(length, range.lowerBound), range.upperBound)
  }

  private mutating func magnitude(in range: ClosedRange<Int>) -> Int {
    let width = UInt64(range.upperBound - range.lowerBound)
    let bits = next(through: UInt64(UInt64.bitWidth - width.leadingZeroBitCount))
    let offset = bits == 0 ? 0 : next() >> (64 - bits)
    return range.lowerBound + Int(min(offset, width))
  }

  /// Primes of every order of magnitude, including those next to powers of two.
  private static let primes = [
    2, 3, 5, 7, 11, 13, 17, 31, 61, 127, 251, 257, 509, 521, 1021, 1031, 2039, 2053, 4093, 4099,
    8191, 8209, 16381, 32749, 65521, 65537, 99991,
  ]

  /// Lengths near coding blocks, screens, the sample photographs and round numbers.
  private static let landmarks = [
    1, 15, 16, 17, 255, 256, 257, 374, 375, 376, 749, 750, 751, 1200, 1823, 4535, 4896, 10000,
    100_000,
  ]
}
