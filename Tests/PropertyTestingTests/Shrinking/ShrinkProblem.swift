import PropertyTesting

/// A generator, and a property that fails for some of its values.
struct ShrinkProblem: Sendable {
  let name: String
  let replay: @Sendable (inout TestCase) -> Attempt

  /// Creates a problem whose property receives the values.
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

  /// Returns a problem with a condition for failure.
  static func failing<Value>(
    _ generator: Gen<Value>, when fails: @escaping @Sendable (Value) -> Bool
  ) -> ShrinkProblem {
    ShrinkProblem("", generator) { value in
      fails(value) ? .failed(FailureOrigin(errorType: "broken")) : .passed
    }
  }

  /// Runs the property on a list of choices.
  func evaluate(_ list: [Choice]) -> Attempt {
    var testCase = TestCase()
    testCase.begin(replaying: list, tail: .overrun)
    return replay(&testCase)
  }

  /// Returns the first failure of a seed; nil if the first cases pass.
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
  /// Returns the simplest value that satisfies a condition, shrunk from the first one of a seed.
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
