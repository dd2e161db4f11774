extension Gen {
  /// Always the same value.
  public static func constant(_ value: Value) -> Gen where Value: Sendable {
    Gen { _ throws(Discarded) in value }
  }

  /// One of some values; the earlier are the simpler.
  ///
  /// - Parameter values: at least one.
  /// - Returns: Such a generator.
  public static func element(of values: [Value]) -> Gen where Value: Sendable {
    precondition(!values.isEmpty, "element(of:) needs a value to choose")
    let bound = UInt64(values.count - 1)
    return Gen { testCase throws(Discarded) in
      values[Int(testCase.index(upTo: bound) { $0.next(upTo: bound) })]
    }
  }

  /// What one of some generators makes; the earlier are the simpler.
  ///
  /// - Parameter generators: at least one.
  /// - Returns: Such a generator.
  public static func oneOf(_ generators: Gen...) -> Gen {
    weighted(generators.map { (1, $0) })
  }

  /// What one of some generators makes, each as often as its weight says.
  ///
  /// - Parameter choices: at least one; the earlier are the simpler. Weights are positive.
  /// - Returns: Such a generator.
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

  /// Takes one of some values of special interest now and then.
  ///
  /// - Parameters:
  ///   - edgeCases: the values; with none, the generator itself is returned.
  ///   - probability: how often, from 0 to 1.
  /// - Returns: Such a generator.
  public func mixingIn(_ edgeCases: [Value], probability: Double = 0.05) -> Gen
  where Value: Sendable {
    precondition((0...1).contains(probability), "mixingIn(_:) needs a probability from 0 to 1")
    guard !edgeCases.isEmpty else { return self }
    let bound = UInt64(edgeCases.count)
    return Gen { [body] testCase throws(Discarded) in
      // One choice: 0 is the generator's own value, which is the simplest.
      let index = testCase.index(upTo: bound) { random in
        random.nextUnit() < probability ? 1 + random.next(upTo: bound - 1) : 0
      }
      return index == 0 ? try body(&testCase) : edgeCases[Int(index) - 1]
    }
  }

  /// A value that holds smaller ones of its kind, such as a tree.
  ///
  /// - Parameters:
  ///   - leaf: what ends the descent, and the simplest.
  ///   - depth: how many levels there may be above the leaves.
  ///   - branch: makes a level out of the generator of the level below.
  /// - Returns: Such a generator.
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
  /// Any case of an enumeration; the first is the simplest.
  public static var allCases: Gen { .element(of: Array(Value.allCases)) }
}

extension Gen where Value == Bool {
  /// False or true; false is the simpler.
  public static var bool: Gen { .element(of: [false, true]) }
}
