extension Gen where Value: FixedWidthInteger & Sendable {
  /// A whole number of a range; see `TestCase.integer(in:shrinkingTowards:)`.
  ///
  /// - Parameters:
  ///   - range: both ends are included.
  ///   - target: what is simplest; the number nearest to 0 when nil.
  /// - Returns: Such a generator.
  public static func integer(
    in range: ClosedRange<Value>, shrinkingTowards target: Value? = nil
  ) -> Gen {
    Gen { testCase throws(Discarded) in
      testCase.integer(in: range, shrinkingTowards: target)
    }
  }

  /// Any number the type can hold.
  public static var anyInteger: Gen { .integer(in: Value.min...Value.max) }
}

extension Gen where Value == Double {
  /// A double of a finite range; see `TestCase.double(in:)`.
  public static func double(in range: ClosedRange<Double>) -> Gen {
    Gen { testCase throws(Discarded) in testCase.double(in: range) }
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
