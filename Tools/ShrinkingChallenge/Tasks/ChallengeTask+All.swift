internal import PropertyTesting

extension ChallengeTask {
  /// The tasks of jlink/shrinking-challenge, and one of a zoom.
  ///
  /// Whole numbers have 32 bits and lists up to 50 elements unless the task says otherwise.
  package static var all: [ChallengeTask] {
    [
      reverse, distinct, largeUnionList, nestedLists, bound5, deletion, coupling, differenceZero,
      differenceSmall, differenceOne, lengthList, anchor, calculator,
    ]
  }

  private static var numbers: Gen<Int> {
    .integer(in: Int(Int32.min)...Int(Int32.max))
  }

  private static var positives: Gen<Int> { .integer(in: 1...Int(Int32.max)) }

  /// A list is its own reverse.
  package static var reverse: ChallengeTask {
    ChallengeTask(
      "reverse", expected: "[0, 1]", reference: Reference(results: 1, evaluations: 17.5),
      Gen<[Int]>.array(of: numbers, count: 0...50)
    ) { list throws(Discarded) in list == list.reversed() }
  }

  /// A list has fewer than three different elements.
  package static var distinct: ChallengeTask {
    ChallengeTask(
      "distinct", expected: "[0, 1, -1]", reference: Reference(results: 1, evaluations: 46.6),
      Gen<[Int]>.array(of: numbers, count: 0...50)
    ) { list throws(Discarded) in Set(list).count < 3 }
  }

  /// Lists have fewer than five different elements between them.
  package static var largeUnionList: ChallengeTask {
    ChallengeTask(
      "large union list", expected: "[[0, 1, -1, 2, -2]]",
      reference: Reference(results: 1, evaluations: 209),
      Gen<[[Int]]>.array(of: .array(of: numbers, count: 0...20), count: 0...20)
    ) { lists throws(Discarded) in Set(lists.joined()).count < 5 }
  }

  /// Lists have at most ten elements between them.
  package static var nestedLists: ChallengeTask {
    ChallengeTask(
      "nested lists", expected: "[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]",
      reference: Reference(results: 1, evaluations: 163),
      Gen<[[Int]]>.array(of: .array(of: numbers, count: 0...20), count: 0...20)
    ) { lists throws(Discarded) in lists.joined().count <= 10 }
  }

  /// Five lists of 16-bit numbers that each sum to less than 256, in 16 bits, sum to less than
  /// 5 times 256.
  package static var bound5: ChallengeTask {
    let list = Gen<[Int16]>.array(of: .anyInteger, count: 0...20).filter { list in
      list.reduce(0, &+) < 256
    }
    return ChallengeTask(
      "bound5", expected: "([], [], [], [-1], [-32768])",
      reference: Reference(results: 3, evaluations: 342), Gens.zip(list, list, list, list, list)
    ) { lists throws(Discarded) in
      [lists.0, lists.1, lists.2, lists.3, lists.4].joined().reduce(0, &+) < 5 * 256
    }
  }

  /// An element that is removed from a list is no longer in it.
  package static var deletion: ChallengeTask {
    ChallengeTask(
      "deletion", expected: "([0, 0], 0)", reference: Reference(results: 1, evaluations: 25),
      Gens.zip(
        Gen<[Int]>.array(of: .integer(in: 0...10), count: 0...20), Gen<Int>.integer(in: 0...10))
    ) { list, index throws(Discarded) in
      guard index < list.count else { throw Discarded() }
      var rest = list
      if let first = rest.firstIndex(of: list[index]) { rest.remove(at: first) }
      return !rest.contains(list[index])
    }
  }

  /// No two elements of a list are each other's index.
  package static var coupling: ChallengeTask {
    ChallengeTask(
      "coupling", expected: "[1, 0]", reference: Reference(results: 10, evaluations: 96),
      Gen<[Int]>.array(of: .integer(in: 0...10), count: 0...20)
    ) { list throws(Discarded) in
      guard list.allSatisfy({ $0 < list.count }) else { throw Discarded() }
      return list.indices.allSatisfy { list[$0] == $0 || list[list[$0]] != $0 }
    }
  }

  /// Numbers from 10 on differ.
  package static var differenceZero: ChallengeTask {
    ChallengeTask(
      "difference zero", expected: "(10, 10)", reference: Reference(results: 1, evaluations: 36),
      Gens.zip(positives, positives)
    ) { first, second throws(Discarded) in first < 10 || first != second }
  }

  /// Numbers from 10 on do not differ by 1 to 4.
  package static var differenceSmall: ChallengeTask {
    ChallengeTask(
      "difference small", expected: "(10, 6)",
      reference: Reference(results: 1, evaluations: 205), Gens.zip(positives, positives)
    ) { first, second throws(Discarded) in
      first < 10 || !(1...4).contains(abs(first - second))
    }
  }

  /// Numbers from 10 on do not differ by 1.
  package static var differenceOne: ChallengeTask {
    ChallengeTask(
      "difference one", expected: "(10, 9)", reference: Reference(results: 1, evaluations: 419),
      Gens.zip(positives, positives)
    ) { first, second throws(Discarded) in first < 10 || abs(first - second) != 1 }
  }

  /// The greatest of a list whose length was drawn before it is less than 900.
  package static var lengthList: ChallengeTask {
    let generator = Gen<Int>.integer(in: 1...100).flatMap { count in
      Gen<[Int]>.array(of: .integer(in: 0...1000), count: count...count)
    }
    return ChallengeTask(
      "length list", expected: "[900]", reference: Reference(results: 1, evaluations: 83), generator
    ) { list throws(Discarded) in (list.max() ?? 0) < 900 }
  }

  /// A zoom by z about the middle of a view of width w moves the point under the finger, at u of
  /// the width, by at most a quarter of the view.
  ///
  /// That is |u - 1/2| w (z - 1) <= w / 4, which u = 0 breaks from z > 1.5 on: the mistake of a
  /// zoom that is not anchored at the finger.
  package static var anchor: ChallengeTask {
    let generator: Gen<(Double, Double, Double)> = Gens.zip(
      .double(in: 1...8192), .double(in: 0...1), .double(in: 1...16))
    return ChallengeTask(
      "zoom anchor", expected: "(1.0, 0.0, 2.0)",
      reference: Reference(results: 1, evaluations: 15), generator
    ) { width, finger, zoom throws(Discarded) in
      ((finger - 0.5) * width * (zoom - 1)).magnitude <= width / 4
    }
  }

  /// An expression without a division by a literal 0 divides by no 0.
  ///
  /// Hypothesis 5.23.11 needed 341 runs and got one result over 100 runs (published report).
  package static var calculator: ChallengeTask {
    let leaf = numbers.map { Expression.number($0) }
    let expression = Gen<Expression>.recursive(leaf, depth: 4) { inner in
      .oneOf(
        Gens.zip(inner, inner).map { Expression.sum($0, $1) },
        Gens.zip(inner, inner).map { Expression.quotient($0, $1) })
    }
    return ChallengeTask(
      "calculator", expected: "(0 / (0 + 0))",
      reference: Reference(results: 1, evaluations: 341), expression
    ) { expression throws(Discarded) in
      guard !expression.dividesByLiteralZero else { throw Discarded() }
      return expression.value != nil
    }
  }
}
