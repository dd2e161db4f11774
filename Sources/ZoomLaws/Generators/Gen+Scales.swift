public import PropertyTesting

extension Gen where Value == Double {
  /// Scales of screens, and of peeks: 1, 2 and 3 pixels a point, or a fraction between 0.5 and 4.
  public static var scales: Gen {
    .weighted([
      (3, .element(of: [1, 2, 3])),
      (1, .element(of: [1.5, 0.5, 2.5, 1.25, 4.0 / 3, 2.608695652173913])),
      (1, .double(in: 0.5...4)),
    ])
  }

  /// Zooms up to twice beyond the limits, often within an ulp of them.
  ///
  /// - Parameters:
  ///   - limits: the smallest and the largest zoom allowed; positive and finite.
  ///   - boundaries: without `.scaleLimit`, the limits are met only by chance.
  /// - Returns: Such a generator.
  public static func zooms(
    limits: ClosedRange<Double>, near boundaries: Set<Boundary> = Set(Boundary.allCases)
  ) -> Gen {
    let any = Gen.oneOf(
      .double(in: limits), .double(in: limits.lowerBound / 2...limits.upperBound * 2))
    guard boundaries.contains(.scaleLimit) else { return any }
    return .weighted([
      (2, any),
      (1, Gen<Double>.element(of: [limits.lowerBound, limits.upperBound]).nextTo()),
    ])
  }

  /// The number, or one of its neighbours within two ulps.
  package func nextTo() -> Gen {
    zip(self, Gen<Int>.integer(in: -2...2)).map { number, steps in number.stepped(steps) }
  }
}

extension Double {
  /// The number so many representable numbers further up, or down for negative steps.
  package func stepped(_ steps: Int) -> Double {
    var number = self
    for _ in 0..<abs(steps) { number = steps > 0 ? number.nextUp : number.nextDown }
    return number
  }
}
