import PropertyTesting

/// A generator, and a property of what it makes that does not always hold.
struct ShrinkProblem: Sendable {
  let name: String
  let replay: @Sendable (inout TestCase) -> Attempt

  /// A problem whose property sees the values themselves.
  init<Value>(
    _ name: String, _ generator: Gen<Value>,
    judge: @escaping @Sendable (Value) -> Attempt.Outcome
  ) {
    self.name = name
    replay = { testCase in
      let value = try? generator.body(&testCase)
      let outcome: Attempt.Outcome =
        testCase.isOverrun ? .overrun : value.map(judge) ?? .discarded
      return Attempt(choices: testCase.choices, spans: testCase.spans, outcome: outcome)
    }
  }

  /// A problem whose property either holds or not.
  static func failing<Value>(
    _ generator: Gen<Value>, when fails: @escaping @Sendable (Value) -> Bool
  ) -> ShrinkProblem {
    ShrinkProblem("", generator) { value in
      fails(value) ? .failed(FailureOrigin(errorType: "broken")) : .passed
    }
  }

  /// What a list of choices comes to.
  func evaluate(_ list: [Choice]) -> Attempt {
    var testCase = TestCase()
    testCase.begin(replaying: list, tail: .overrun)
    return replay(&testCase)
  }

  /// The first failure of a seed, if there is one soon.
  func firstFailure(seed: UInt64, cases: UInt64 = 300) -> Attempt? {
    var testCase = TestCase()
    for index in 0..<cases {
      testCase.begin(seed: seed, index: index)
      let attempt = replay(&testCase)
      if case .failed = attempt.outcome { return attempt }
    }
    return nil
  }
}

extension Gen {
  /// The simplest value for which a condition holds, found from the first of a seed.
  func shrunk(
    seed: UInt64, cases: UInt64 = 2000, _ fails: @escaping @Sendable (Value) -> Bool
  ) async -> Value? {
    let problem = ShrinkProblem.failing(self, when: fails)
    guard let start = problem.firstFailure(seed: seed, cases: cases) else { return nil }
    let result = await shrink(start) { problem.evaluate($0) }
    var testCase = TestCase()
    testCase.begin(replaying: result.smallest.choices, tail: .overrun)
    return try? body(&testCase)
  }
}
