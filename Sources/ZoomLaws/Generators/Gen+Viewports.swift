public import PropertyTesting
public import ZoomGeometry

extension Gen where Value == ViewSize {
  /// Sizes of viewports that exist or might.
  ///
  /// Of any whole number of points up to 2048, of devices, of fractions of points, and one point
  /// thin. 1x1 is the simplest.
  public static var viewports: Gen {
    Gen { testCase throws(Discarded) in
      // Both sides are picked with the first; each is a number like any other.
      var height: Double?
      let width = testCase.double(in: 1...2048) { random in
        let picked = random.viewport()
        height = picked.height
        return picked.width
      }
      return ViewSize(width: width, height: testCase.double(in: 1...2048) { _ in height })
    }
  }

  /// The screens of phones and tablets in points, upright and on their side, and the published
  /// demonstration's view of 355x599 on one of them.
  public static var devices: Gen {
    Gens.zip(Gen<(Double, Double)>.element(of: screens), Gen<Bool>.bool).map { sides, isOnSide in
      isOnSide
        ? ViewSize(width: sides.1, height: sides.0) : ViewSize(width: sides.0, height: sides.1)
    }
  }

  /// Viewports one point wide or high.
  public static var thinViewports: Gen {
    Gens.zip(Gen<Int>.integer(in: 1...1366), Gen<Bool>.bool).map { length, isWide in
      isWide
        ? ViewSize(width: Double(length), height: 1) : ViewSize(width: 1, height: Double(length))
    }
  }

  /// Viewports that cannot show anything: a side is zero, negative, NaN or infinite.
  public static var invalidViewports: Gen {
    let good = Gen<Double>.element(of: [375, 1, 667.5])
    return .oneOf(
      Gens.zip(.invalidLengths, good).map { ViewSize(width: $0, height: $1) },
      Gens.zip(good, .invalidLengths).map { ViewSize(width: $0, height: $1) },
      Gens.zip(.invalidLengths, .invalidLengths).map { ViewSize(width: $0, height: $1) })
  }

  fileprivate static var screens: [(Double, Double)] {
    [
      (375, 667), (320, 480), (320, 568), (375, 812), (390, 844), (393, 852), (402, 874),
      (414, 736), (414, 896), (428, 926), (430, 932), (440, 956), (744, 1133), (768, 1024),
      (810, 1080), (820, 1180), (834, 1112), (834, 1194), (1024, 1366), (355, 599),
    ]
  }
}

extension SplitMix64 {
  /// A size of `Gen<ViewSize>.viewports`.
  fileprivate mutating func viewport() -> ViewSize {
    switch next(upTo: 10) {
    case 0...3: ViewSize(width: Double(length(in: 1...2048)), height: Double(length(in: 1...2048)))
    case 4...7: turned(element(of: Gen<ViewSize>.screens))
    case 8: turned((Double(1 + next(upTo: 1365)), 1))
    default: ViewSize(width: double(in: 1...2048), height: double(in: 1...2048))
    }
  }

  /// The size or the same on its side.
  private mutating func turned(_ sides: (Double, Double)) -> ViewSize {
    next() >> 63 == 0
      ? ViewSize(width: sides.0, height: sides.1) : ViewSize(width: sides.1, height: sides.0)
  }
}

extension Gen where Value == Double {
  /// Numbers that are no length: zero of either sign, negative, infinite, NaN.
  public static var invalidLengths: Gen {
    .element(of: [0, -0.0, -1, -375, -.leastNonzeroMagnitude, .infinity, -.infinity, .nan])
  }

  /// Numbers that are no coordinate: infinite or NaN.
  public static var nonFinite: Gen { .element(of: [.nan, .infinity, -.infinity, -.nan]) }
}
