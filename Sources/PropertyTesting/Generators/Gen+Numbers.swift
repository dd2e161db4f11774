extension Gen where Value: FixedWidthInteger & Sendable {
  /// A whole number of a range; see `TestCase.integer(in:shrinkingTowards:often:share:)`.
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

  /// Any number the type can hold.
  public static var anyInteger: Gen { .integer(in: Value.min...Value.max) }
}

extension Gen where Value == Double {
  /// A double of a finite range; see `TestCase.double(in:often:share:)`.
  public static func double(
    in range: ClosedRange<Double>, often numbers: [Double] = [], share: Double = 0.5
  ) -> Gen {
    precondition(
      numbers.allSatisfy(range.contains), "double(in:often:) needs numbers of the range")
    return Gen { testCase throws(Discarded) in
      testCase.double(in: range, often: numbers, share: share)
    }
  }

  /// Any double, also infinite and NaN.
  public static var anyDouble: Gen {
    Gen { testCase throws(Discarded) in testCase.anyDouble() }
  }

  /// Any finite double.
  public static var finiteDouble: Gen {
    .double(in: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
  }
}
