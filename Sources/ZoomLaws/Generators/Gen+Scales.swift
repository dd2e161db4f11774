public import PropertyTesting

extension Gen where Value == Double {
  /// Scales of screens, and of peeks: 1, 2 and 3 pixels a point, or a fraction between 0.5 and 4.
  public static var scales: Gen {
    let fractions: [Double] = [1.5, 0.5, 2.5, 1.25, 4.0 / 3, 2.608695652173913]
    return Gen { testCase throws(Discarded) in
      testCase.double(in: 0.5...4) { random in
        switch random.next(upTo: 4) {
        case 0: nil
        case 1: random.element(of: fractions)
        default: random.element(of: [1, 2, 3])
        }
      }
    }
  }

  /// By how much everything is enlarged: 2 and a half, and others from a quarter to 4.
  static var enlargements: Gen { .oneOf(.element(of: [2, 0.5]), .double(in: 0.25...4)) }

  /// Zooms up to twice beyond the limits, often within an ulp of them.
  ///
  /// - Parameters:
  ///   - limits: the smallest and the largest zoom allowed; positive and finite.
  ///   - boundaries: without `.scaleLimit`, the limits are met only by chance.
  /// - Returns: Such a generator.
  public static func zooms(
    limits: ClosedRange<Double>, near boundaries: Set<Boundary> = Set(Boundary.allCases)
  ) -> Gen {
    let seeksLimits = boundaries.contains(.scaleLimit)
    return Gen { testCase throws(Discarded) in
      testCase.double(in: limits.lowerBound / 2...limits.upperBound * 2) {
        $0.zoom(limits: limits, seeksLimits: seeksLimits)
      }
    }
  }

  /// The number, or one of its neighbours within two ulps.
  package func nextTo() -> Gen {
    Gens.zip(self, Gen<Int>.integer(in: -2...2)).map { number, steps in number.stepped(steps) }
  }
}

extension SplitMix64 {
  /// A zoom of `Gen<Double>.zooms`.
  mutating func zoom(limits: ClosedRange<Double>, seeksLimits: Bool = true) -> Double {
    let (least, most) = (limits.lowerBound, limits.upperBound)
    return switch next(upTo: 2) {
    case 0: double(in: limits)
    case 1 where seeksLimits: element(of: [least, most]).stepped(steps())
    default: double(in: least / 2...most * 2)
    }
  }

  /// From -2 to 2.
  mutating func steps() -> Int { Int(next(upTo: 4)) - 2 }
}

extension Double {
  /// The number so many representable numbers further up, or down for negative steps.
  package func stepped(_ steps: Int) -> Double {
    var number = self
    for _ in 0..<abs(steps) { number = steps > 0 ? number.nextUp : number.nextDown }
    return number
  }
}
