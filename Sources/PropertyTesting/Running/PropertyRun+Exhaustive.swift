extension PropertyRun {
  /// Longer lists of cases are not made beforehand: ten thousand take some milliseconds and
  /// megabytes.
  private static var mostListed: Int { 10_000 }

  /// Tries every case there is, each once, if they are no more than are asked for.
  ///
  /// - Returns: Whether it did, or was stopped at it. Where it did not, what was tried is counted
  ///   as cases, but not in classes, for it is no fair sample.
  func tryAll() async -> Bool {
    // Within a time limit a generator is only ever run under it.
    guard runner.limiter == nil,
      let lists = runner.generator.allCases(atMost: min(settings.cases, Self.mostListed))
    else { return false }
    // A property that draws by itself runs over the end of a list, most likely at the first.
    for numbers in [0..<1, 1..<lists.count] where !numbers.isEmpty {
      let summary = await round(numbers, .generate) { .replay(lists[$0], tail: .overrun) }
      if summary.isCutShort { return true }
      if summary.oversized > 0 {
        total.oversized -= summary.oversized
        generated = RoundSummary()
        return false
      }
      generated.add(summary)
      generated.lines = []
    }
    isExhaustive = true
    return true
  }
}

extension Gen {
  /// The choices of every case that the generator can make, or nil when there are more than some.
  ///
  /// The tree of choices is walked from the simplest case on. At any time each choice on the way
  /// has some values still to come, each of which leads to a case at least, so that a tree too
  /// large is found out early.
  func allCases(atMost most: Int) -> [[Choice]]? {
    var testCase = TestCase()
    var lists: [[Choice]] = []
    var path: [Choice] = []
    while true {
      testCase.begin(replaying: path, tail: .simplest)
      _ = try? body(&testCase)
      // A generator that does not do the same again cannot be walked.
      guard testCase.choices.starts(with: path), !testCase.isOverrun else { return nil }
      lists.append(testCase.choices)
      let toCome = testCase.choices.reduce(0.0) { $0 + $1.valuesToCome }
      guard Double(lists.count) + toCome <= Double(most) else { return nil }
      guard let last = testCase.choices.lastIndex(where: { $0.valuesToCome > 0 }),
        let next = testCase.choices[last].next
      else { return lists }
      path = testCase.choices[..<last] + [next]
    }
  }
}

extension Choice {
  /// How many values come after this one, from the simplest on.
  fileprivate var valuesToCome: Double {
    switch self {
    case .integer(let choice):
      let lower = choice.isNegative ? choice.magnitude : max(choice.magnitude, 1) - 1
      return Double(choice.above - min(choice.magnitude, choice.above))
        + Double(choice.below - min(lower, choice.below))
    case .float(let choice):
      // Zeros are two; the doubles of any other range are taken for too many to be tried.
      return choice.low == choice.high && choice.low != 0 && !choice.allowsNonFinite ? 0 : .infinity
    }
  }

  /// The next value, from the simplest on: 0, 1, -1, 2, -2 and so on.
  fileprivate var next: Choice? {
    guard case .integer(let choice) = self else { return nil }
    let distance = choice.distance
    let following =
      distance > 0 ? [-distance, distance + 1] : [1 - distance, distance - 1]
    for candidate in following {
      if let next = choice.at(candidate) { return .integer(next) }
    }
    return nil
  }
}
