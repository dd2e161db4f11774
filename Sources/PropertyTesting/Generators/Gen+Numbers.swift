extension Gen where Value: FixedWidthInteger & Sendable {
  /// Returns a generator of whole numbers in a range; see `TestCase.integer(in:shrinkingTowards:often:share:)`.
  public static func integer(
    in range: ClosedRange<Value>, shrinkingTowards target: Value? = nil,
    often numbers: [Value] = [], share: Double = 0.5
  ) -> Gen {
    precondition(
      numbers.allSatisfy(range.contains), "integer(in:often:) needs numbers of the range")
    return Gen { testCase throws(Discarded) in
      testCase.integer(in: range, shrinkingTowards: target, often: numbers, share: share)
    }
  }

  /// A generator of all values of the type.
  public static var anyInteger: Gen { .integer(in: Value.min...Value.max) }
}

extension Gen where Value == Int {
  /// Returns a generator of `Int` values in a range; unlike `integer(in:)`, it fixes the type.
  public static func int(in range: ClosedRange<Int>, shrinkingTowards target: Int? = nil) -> Gen {
    .integer(in: range, shrinkingTowards: target)
  }
}

extension Gen where Value == Double {
  /// Returns a generator of doubles in a finite range; see `TestCase.double(in:often:share:)`.
  public static func double(
    in range: ClosedRange<Double>, often numbers: [Double] = [], share: Double = 0.5
  ) -> Gen {
    precondition(
      numbers.allSatisfy(range.contains), "double(in:often:) needs numbers of the range")
    return Gen { testCase throws(Discarded) in
      testCase.double(in: range, often: numbers, share: share)
    }
  }

  /// A generator of all doubles, including infinities and NaN.
  public static var anyDouble: Gen {
    Gen { testCase throws(Discarded) in testCase.anyDouble() }
  }

  /// A generator of all finite doubles.
  public static var finiteDouble: Gen {
    .double(in: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
  }
}

extension Gen where Value == Float {
  /// Returns a generator of floats in a finite range; they shrink to short decimals, as doubles do.
  public static func float(in range: ClosedRange<Float>) -> Gen {
    // Rounding to the nearest float stays in the range, because both ends are floats.
    Gen<Double>.double(in: Double(range.lowerBound)...Double(range.upperBound)).map { Float($0) }
  }
}

extension Gen where Value == Duration {
  /// Returns a generator of durations in a range; they shrink to seconds with few decimal places.
  public static func duration(in range: ClosedRange<Duration>) -> Gen {
    let (low, high) = (range.lowerBound, range.upperBound)
    return Gen<Double>.double(in: low / .seconds(1)...high / .seconds(1)).map {
      // The bounds may not be exact in seconds.
      min(max(.seconds($0), low), high)
    }
  }
}
