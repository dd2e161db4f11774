/// Makes values out of recorded choices.
///
/// Every generator, however it is put together, shrinks without being told how, and what it
/// shrinks to is a value it could have made.
public struct Gen<Value>: Sendable {
  package let body: @Sendable (inout TestCase) throws(Discarded) -> Value

  /// A generator that draws by hand.
  ///
  /// - Parameter body: the same choices must give the same value.
  public init(_ body: @escaping @Sendable (inout TestCase) throws(Discarded) -> Value) {
    self.body = body
  }

  /// What a function makes of the value.
  public func map<T>(_ transform: @escaping @Sendable (Value) -> T) -> Gen<T> {
    Gen<T> { [body] testCase throws(Discarded) in transform(try body(&testCase)) }
  }

  /// What the generator that a function makes of the value makes.
  public func flatMap<T>(_ next: @escaping @Sendable (Value) -> Gen<T>) -> Gen<T> {
    Gen<T> { [body] testCase throws(Discarded) in
      let dependent = next(try body(&testCase))
      return try testCase.span(.dependent, dependent.body)
    }
  }

  /// What a function makes of the value, where it makes something.
  ///
  /// The value is drawn up to `filterAttempts` times, then the case is discarded.
  public func compactMap<T>(_ transform: @escaping @Sendable (Value) -> T?) -> Gen<T> {
    Gen<T> { [body] testCase throws(Discarded) in
      for _ in 0..<filterAttempts {
        let start = testCase.choices.count
        if let result = transform(try body(&testCase)) { return result }
        testCase.endSpan(.rejected, start: start)
      }
      throw Discarded()
    }
  }

  /// Only the values for which a condition holds.
  ///
  /// The value is drawn up to `filterAttempts` times, then the case is discarded.
  public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Gen<Value> {
    compactMap { isIncluded($0) ? $0 : nil }
  }
}

/// How often a filter draws before it discards the case; Hypothesis' number.
package let filterAttempts = 3

/// Makes generators of several others.
public enum Gens {
  /// Several values side by side.
  ///
  /// - Parameter generators: what makes each; each is an argument of its own when a counterexample
  ///   is explained.
  /// - Returns: One generator of them all.
  public static func zip<each Value>(
    _ generators: repeat Gen<each Value>
  ) -> Gen<(repeat each Value)> {
    Gen<(repeat each Value)> { testCase throws(Discarded) in
      (repeat try testCase.span(.argument, (each generators).body))
    }
  }
}

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
