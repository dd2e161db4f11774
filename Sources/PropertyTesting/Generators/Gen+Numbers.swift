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
