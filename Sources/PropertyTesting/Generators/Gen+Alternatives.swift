extension Gen {
  /// Returns a generator of one constant value.
  public static func constant(_ value: Value) -> Gen where Value: Sendable {
    Gen { _ throws(Discarded) in value }
  }

  /// Returns a generator of the elements of a list; earlier elements are simpler.
  ///
  /// - Parameter values: at least one.
  /// - Returns: A generator of these values.
  public static func element(of values: [Value]) -> Gen where Value: Sendable {
    precondition(!values.isEmpty, "element(of:) needs a value to choose")
    let bound = UInt64(values.count - 1)
    return Gen { testCase throws(Discarded) in
      values[Int(testCase.index(upTo: bound) { $0.next(upTo: bound) })]
    }
  }

  /// Returns a generator that draws from one of several generators; earlier generators are simpler.
  ///
  /// - Parameter generators: at least one.
  /// - Returns: A generator of their values.
  public static func oneOf(_ generators: Gen...) -> Gen {
    weighted(generators.map { (1, $0) })
  }

  /// Returns a generator that draws from one of several generators, with probabilities proportional to their weights.
  ///
  /// - Parameter choices: at least one; earlier ones are simpler. Weights are positive.
  /// - Returns: A generator of their values.
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
        let index = testCase.index(upTo: bound) { random in
          let place = random.next(upTo: total - 1)
          return UInt64(limits.firstIndex { place < $0 } ?? 0)
        }
        return try bodies[Int(index)](&testCase)
      }
    }
  }

  /// Returns a generator that sometimes produces a value of special interest.
  ///
  /// - Parameters:
  ///   - edgeCases: the values of special interest; if empty, the generator itself is returned.
  ///   - probability: the probability of such a value, from 0 to 1.
  /// - Returns: A generator of both kinds of values.
  public func mixingIn(_ edgeCases: [Value], probability: Double = 0.05) -> Gen
  where Value: Sendable {
    precondition((0...1).contains(probability), "mixingIn(_:) needs a probability from 0 to 1")
    guard !edgeCases.isEmpty else { return self }
    let bound = UInt64(edgeCases.count)
    return Gen { [body] testCase throws(Discarded) in
      // A single choice: 0 selects the generator's own value, which is the simplest.
      let index = testCase.index(upTo: bound) { random in
        random.nextUnit() < probability ? 1 + random.next(upTo: bound - 1) : 0
      }
      return index == 0 ? try body(&testCase) : edgeCases[Int(index) - 1]
    }
  }

  /// Returns a generator of recursive values, such as trees.
  ///
  /// - Parameters:
  ///   - leaf: generates the values that end the recursion, which are the simplest.
  ///   - depth: the greatest number of levels above the leaves.
  ///   - branch: returns the generator of a level, given the generator of the level below.
  /// - Returns: A generator of values with at most `depth` levels above the leaves.
  public static func recursive(
    _ leaf: Gen, depth: Int, branch: @Sendable (Gen) -> Gen
  ) -> Gen {
    precondition(depth >= 0, "recursive(_:depth:branch:) needs a depth of at least 0")
    var level = leaf
    for _ in 0..<depth { level = .oneOf(leaf, branch(level)) }
    return level
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
