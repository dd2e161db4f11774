extension PropertyRun {
  /// Tries the examples, in their order.
  func tryExamples() async {
    for example in examples where !isOver {
      _ = await tryGiven(example, .explicit)
    }
  }

  /// Runs the property on a value that was not generated.
  ///
  /// - Returns: The origin of its failure, or nil when it does not fail.
  func tryGiven(_ value: Value, _ phase: Phase) async -> FailureOrigin? {
    let lane = CaseLane(
      runner: runner.given(value), phase: phase, deadline: nil, log: log,
      start: Self.startOfGiven(seed))
    var summary = await lane.run(0..<1)
    // It has no choices to go by, neither for shrinking nor for climbing.
    summary.failures = summary.failures.map(\.asGiven)
    summary.best = []
    count(summary)
    return summary.failures.first?.origin
  }

  /// What the property draws beside a given value is random.
  static func startOfGiven(_ seed: UInt64) -> @Sendable (Int) -> CaseStart {
    { .replay([], tail: .random, seed: seed &+ UInt64($0)) }
  }

  /// How often a given value fails in the same way, of some runs.
  func failures(
    ofGiven value: Value, _ origin: FailureOrigin, runs: Int
  ) async -> Int {
    let (runner, start) = (runner.given(value), Self.startOfGiven(seed))
    var testCase = TestCase()
    var count = 0
    for _ in 0..<runs {
      var trace = CaseTrace<Value>()
      let end = await runner.run(start(0), in: &testCase, &trace)
      if case .failed(let error) = end, FailureOrigin(error) == origin { count += 1 }
    }
    return count
  }
}

extension CaseRunner {
  /// Runs the property on one value.
  func given(_ value: Value) -> CaseRunner {
    CaseRunner(generator: .constant(value), body: body, limiter: limiter)
  }
}

extension FailedCase {
  /// The failure of a value alone.
  var asGiven: FailedCase {
    FailedCase(
      phase: phase, value: value, error: error, origin: origin, attempt: nil, number: number)
  }
}
