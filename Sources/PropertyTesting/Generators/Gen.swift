/// A generator, which makes values from recorded choices.
///
/// Every generator, however it is composed, shrinks without extra code, and only to values that it can generate.
public struct Gen<Value>: Sendable {
  package let body: @Sendable (inout TestCase) throws(Discarded) -> Value

  /// Creates a generator from a function that draws from a test case.
  ///
  /// - Parameter body: must return the same value for the same choices.
  public init(_ body: @escaping @Sendable (inout TestCase) throws(Discarded) -> Value) {
    self.body = body
  }

  /// Returns a generator of the results of a function.
  public func map<T>(_ transform: @escaping @Sendable (Value) -> T) -> Gen<T> {
    Gen<T> { [body] testCase throws(Discarded) in transform(try body(&testCase)) }
  }

  /// Returns a generator that draws from the generator that a function returns for each value.
  public func flatMap<T>(_ next: @escaping @Sendable (Value) -> Gen<T>) -> Gen<T> {
    Gen<T> { [body] testCase throws(Discarded) in
      let dependent = next(try body(&testCase))
      return try testCase.span(.dependent, dependent.body)
    }
  }

  /// Returns a generator of the non-nil results of a function.
  ///
  /// After `filterAttempts` nil results in a row the case is discarded.
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

  /// Returns a generator of the values that satisfy a condition.
  ///
  /// After `filterAttempts` rejected values in a row the case is discarded.
  public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Gen<Value> {
    compactMap { isIncluded($0) ? $0 : nil }
  }
}

/// The number of attempts of a filter before it discards the case, as in Hypothesis.
package let filterAttempts = 3

/// A namespace for functions that combine several generators.
public enum Gens {
  /// Returns a generator of tuples with one value from each of several generators.
  ///
  /// - Parameter generators: the generators; the explanation of a counterexample treats each as a separate argument.
  /// - Returns: A generator of tuples.
  public static func zip<each Value>(
    _ generators: repeat Gen<each Value>
  ) -> Gen<(repeat each Value)> {
    Gen<(repeat each Value)> { testCase throws(Discarded) in
      (repeat try testCase.span(.argument, (each generators).body))
    }
  }
}

extension Gen {
  /// Draws sample values, to show what the generator makes.
  ///
  /// - Parameters:
  ///   - count: the number of cases; discarded ones yield no value.
  ///   - seed: the same seed gives the same values.
  /// - Returns: The values in the order in which they were drawn.
  public func sample(_ count: Int, seed: UInt64 = 0) -> [Value] {
    var testCase = TestCase()
    return (0..<UInt64(max(count, 0))).compactMap { index in
      testCase.begin(seed: seed, index: index)
      return try? body(&testCase)
    }
  }
}
