extension PropertyRun {
  /// Makes each failure simple and sees what there is to say about it.
  ///
  /// A failure of another origin met on the way is one more to look at.
  func examineFailures() async {
    var next = 0
    while next < total.failures.count {
      let failure = total.failures[next]
      next += 1
      guard counterexamples.count < settings.failureLimit else {
        unreported.insert(failure.origin)
        continue
      }
      counterexamples.append(await examine(failure))
    }
  }

  private func examine(_ failure: FailedCase<Value>) async -> Counterexample<Value> {
    guard let start = failure.attempt else {
      let rate = await failureRate(of: failure)
      return counterexample(failure, nil, rate: rate)
    }
    var rate = await failureRate(of: failure)
    var smallest = start
    var evaluations = 0
    if settings.phases.contains(.shrink), settings.shrinkEvaluations > 0, !Task.isCancelled {
      let result = await shrunk(start, failure.origin, isFlaky: rate != nil)
      (smallest, evaluations) = (result.smallest, result.evaluations)
    }
    let shown = await show(smallest, failure.origin, tries: rate == nil ? 1 : 100)
    if smallest.choices != start.choices, rate != nil || shown == nil, !Task.isCancelled {
      // Another case than the first has a rate of its own.
      rate = await estimatedRate(of: smallest.choices, failure.origin)
    }
    var explanation: [Explanation] = []
    if rate == nil, settings.phases.isSuperset(of: [.shrink, .explain]), !failure.isTimeOut {
      explanation = await explain(smallest, failure.origin)
    }
    var minimal = shown
    if minimal == nil { minimal = await unseen(smallest, failure) }
    return counterexample(
      failure, minimal, rate: rate, evaluations: evaluations, explanation: explanation)
  }

  private func counterexample(
    _ failure: FailedCase<Value>, _ shown: Shown?, rate: ClosedRange<Double>?,
    evaluations: Int = 0, explanation: [Explanation] = []
  ) -> Counterexample<Value> {
    let minimal = shown?.value ?? failure.value
    let error = shown?.error ?? failure.error
    return Counterexample(
      original: failure.value, minimal: minimal, description: describe(minimal), error: error,
      message: "\(error)",
      origin: .init(errorType: failure.origin.errorType, place: failure.origin.place),
      token: shown.map { ReplayToken($0.choices) },
      foundAt: failure.number, evaluations: evaluations,
      phase: failure.phase, failureRate: rate, explanation: explanation, notes: shown?.notes ?? [])
  }

  /// A failing case as it is shown.
  struct Shown {
    let value: Value
    let error: any Error
    let choices: [Choice]
    let notes: [String]
  }

  /// Runs a case once more for its value, its error and its notes; nil when it did not fail in
  /// the same way in some tries.
  private func show(
    _ attempt: Attempt, _ origin: FailureOrigin, tries: Int
  ) async -> Shown? {
    // One that does not end would only be left behind once more.
    guard origin != .timeOut else { return nil }
    var testCase = TestCase()
    testCase.keepsNotes = true
    for _ in 0..<tries {
      var trace = CaseTrace<Value>()
      let end = await runner.run(.replay(attempt.choices, tail: .overrun), in: &testCase, &trace)
      if case .failed(let error) = end, FailureOrigin(error) == origin, let value = trace.value {
        return Shown(
          value: value, error: error, choices: testCase.choices, notes: testCase.notes)
      }
    }
    return nil
  }

  /// What to show of a case that did not fail again: its value beside the error seen before.
  private func unseen(_ attempt: Attempt, _ failure: FailedCase<Value>) async -> Shown {
    let value = await runner.draw(.replay(attempt.choices, tail: .simplest))?.value
    return Shown(
      value: value ?? failure.value, error: failure.error, choices: attempt.choices, notes: [])
  }
}

extension FailureOrigin {
  /// A case that did not end in time.
  static let timeOut = FailureOrigin(CaseTimedOut(limit: .zero))
}

extension FailedCase {
  var isTimeOut: Bool { origin == .timeOut }
}
