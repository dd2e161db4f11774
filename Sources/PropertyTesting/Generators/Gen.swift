/// A generator, which makes values from recorded choices.
///
/// Every generator, however it is composed, shrinks without extra code, and only to values that it can generate.
public struct Gen<Value>: Sendable {
  package let body: @Sendable (inout TestCase) throws(Discarded) -> Value

  /// Creates a generator from a function that returns the same value for the same choices of a test case.
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
  /// After three nil results in a row the case is discarded, as in Hypothesis.
  public func compactMap<T>(_ transform: @escaping @Sendable (Value) -> T?) -> Gen<T> {
    Gen<T> { [body] testCase throws(Discarded) in
      for _ in 0..<3 {
        let start = testCase.choices.count
        if let result = transform(try body(&testCase)) { return result }
        testCase.endSpan(.rejected, start: start)
      }
      throw Discarded()
    }
  }

  /// Returns a generator of the values that satisfy a condition.
  ///
  /// After three rejected values in a row the case is discarded.
  public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Gen<Value> {
    compactMap { isIncluded($0) ? $0 : nil }
  }

  /// Returns values of some cases, as examples of what the generator makes; discarded cases yield no value.
  public func sample(_ count: Int, seed: UInt64 = 0) -> [Value] {
    var testCase = TestCase()
    return (0..<UInt64(max(count, 0))).compactMap { index in
      testCase.begin(seed: seed, index: index)
      return try? body(&testCase)
    }
  }
}

extension Gen {
  /// Returns a generator of tuples with one value from each of several generators.
  ///
  /// The explanation of a counterexample treats each generator as a separate argument.
  public static func zip<each Part>(
    _ generators: repeat Gen<each Part>
  ) -> Gen where Value == (repeat each Part) {
    Gen { testCase throws(Discarded) in
      (repeat try testCase.span(.argument, (each generators).body))
    }
  }

  /// Returns a generator of one constant value.
  public static func constant(_ value: Value) -> Gen where Value: Sendable {
    Gen { _ throws(Discarded) in value }
  }

  /// Returns a generator of the elements of a list; earlier elements are simpler.
  public static func element(of values: [Value]) -> Gen where Value: Sendable {
    precondition(!values.isEmpty, "element(of:) needs a value to choose")
    let bound = UInt64(values.count - 1)
    return Gen { testCase throws(Discarded) in
      values[Int(testCase.index(through: bound) { $0.next(through: bound) })]
    }
  }

  /// Returns a generator that draws from one of several generators; earlier generators are simpler.
  public static func oneOf(_ generators: Gen...) -> Gen {
    weighted(generators.map { (1, $0) })
  }

  /// Returns a generator that draws from one of several generators, with probabilities proportional to their positive
  /// weights; earlier generators are simpler.
  public static func weighted(_ choices: [(weight: Int, generator: Gen)]) -> Gen {
    precondition(
      !choices.isEmpty && choices.allSatisfy { $0.weight > 0 },
      "weighted(_:) needs generators of positive weights")
    let bodies = choices.map(\.generator.body)
    let limits = choices.reduce(into: [UInt64]()) { sums, choice in
      sums.append((sums.last ?? 0) + UInt64(choice.weight))
    }
    let (bound, total) = (UInt64(choices.count - 1), limits.last ?? 1)
    return Gen { testCase throws(Discarded) in
      try testCase.span(.alternative) { testCase throws(Discarded) in
        let index = testCase.index(through: bound) { random in
          let place = random.next(through: total - 1)
          return UInt64(limits.firstIndex { place < $0 } ?? 0)
        }
        return try bodies[Int(index)](&testCase)
      }
    }
  }

  /// Returns a generator of recursive values, such as trees, with at most `depth` levels above the leaves.
  ///
  /// Leaves are the simplest; `branch` returns the generator of a level, given the generator of the level below.
  public static func recursive(
    _ leaf: Gen, depth: Int, branch: @Sendable (Gen) -> Gen
  ) -> Gen {
    precondition(depth >= 0, "recursive(_:depth:branch:) needs a depth of at least 0")
    return (0..<depth).reduce(leaf) { level, _ in .oneOf(leaf, branch(level)) }
  }
}

extension Gen where Value: CaseIterable & Sendable {
  /// A generator of the cases of an enumeration; the first is the simplest.
  public static var allCases: Gen { .element(of: Array(Value.allCases)) }
}

extension Gen where Value == Bool {
  /// A generator of Booleans; false is simpler.
  public static var bool: Gen { .element(of: [false, true]) }
}

/// A namespace for `zip`, under which it can be called without a type.
public enum Gens {
  /// Returns a generator of tuples with one value from each of several generators; see `Gen.zip`.
  public static func zip<each Value>(
    _ generators: repeat Gen<each Value>
  ) -> Gen<(repeat each Value)> { .zip(repeat each generators) }
}
