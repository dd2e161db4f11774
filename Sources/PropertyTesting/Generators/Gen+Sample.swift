extension Gen {
  /// Some values, to see what a generator makes.
  ///
  /// - Parameters:
  ///   - count: how many are drawn; those discarded are left out.
  ///   - seed: the same seed gives the same values.
  /// - Returns: The values, in the order they were drawn.
  public func sample(_ count: Int, seed: UInt64 = 0) -> [Value] {
    var testCase = TestCase()
    return (0..<UInt64(max(count, 0))).compactMap { index in
      testCase.begin(seed: seed, index: index)
      return try? body(&testCase)
    }
  }
}
