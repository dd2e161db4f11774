extension PropertyRun {
  /// Looks for a simpler case that fails in the same way.
  ///
  /// Failures of other origins that turn up are kept.
  func shrunk(
    _ start: Attempt, _ origin: FailureOrigin, isFlaky: Bool
  ) async -> ShrinkResult {
    var limits = ShrinkLimits()
    limits.searchEvaluations = min(limits.searchEvaluations, settings.shrinkEvaluations / 3)
    limits.evaluations = settings.shrinkEvaluations - limits.searchEvaluations
    limits.deadline = ContinuousClock.now.advanced(by: settings.shrinkTime)
    let tries = isFlaky ? settings.flakiness.shrinkRuns : 1
    // What fails now and then, or never ends, is too costly to be looked for elsewhere.
    if isFlaky || origin == .timeOut { limits.searchEvaluations = 0 }
    return await shrink(
      start, limits: limits, explore: explorer, evaluate: evaluator(origin, tries: tries))
  }

  private var explorer: ([Choice], TestCase.Tail, UInt64) async -> Attempt {
    { await self.evaluate(.replay($0, tail: $1, seed: $2)) }
  }

  /// Runs lists of choices; one that fails now and then counts as failing when it fails once in
  /// some runs.
  private func evaluator(
    _ origin: FailureOrigin, tries: Int
  ) -> ([Choice]) async -> Attempt {
    { choices in
      var attempt = await self.evaluate(choices)
      var run = 1
      while run < tries, attempt.outcome != .failed(origin), attempt.outcome != .overrun {
        attempt = await self.evaluate(choices)
        run += 1
      }
      return attempt
    }
  }

  /// Runs a list of choices while shrinking; what fails in a way not seen before is kept.
  func evaluate(_ choices: [Choice]) async -> Attempt {
    // When too much was left behind that never ends, nothing more is begun.
    if runner.limiter?.isExhausted ?? false {
      return Attempt(choices: choices, spans: [], outcome: .discarded)
    }
    return await evaluate(.replay(choices, tail: .overrun))
  }

  private func evaluate(_ start: CaseStart) async -> Attempt {
    var testCase = TestCase()
    var trace = CaseTrace<Value>()
    trace.keepsValue = log != nil
    trace.isTimed = log != nil
    let end = await runner.run(start, in: &testCase, &trace)
    if let log { settings.observer?(log.line(end, testCase, trace, .shrink)) }
    let attempt = Attempt(
      choices: testCase.choices, spans: testCase.spans, outcome: Attempt.Outcome(end))
    if case .failed(let error) = end, case .failed(let origin) = attempt.outcome,
      let value = trace.value
    {
      total.keep(
        FailedCase(phase: .shrink, value: value, error: error, origin: origin, attempt: attempt))
    }
    return attempt
  }
}

extension Attempt.Outcome {
  /// How the shrinker sees the end of a case.
  init(_ end: CaseEnd) {
    self =
      switch end {
      case .passed: .passed
      case .discarded, .cancelled, .stuck: .discarded
      case .overrun: .overrun
      case .failed(let error): .failed(FailureOrigin(error))
      }
  }
}
