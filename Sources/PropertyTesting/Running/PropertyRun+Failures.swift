internal import Synchronization

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
    if settings.phases.contains(.shrink), settings.shrinkEvaluations > 0, !Task.isCancelled,
      !isAtEnd
    {
      let result = await shrunk(start, failure.origin, isFlaky: rate != nil)
      (smallest, evaluations) = (result.smallest, result.evaluations)
    }
    let shown = await show(smallest, failure.origin, tries: rate == nil ? 1 : 100)
    if smallest.choices != start.choices, rate != nil || shown == nil, !Task.isCancelled, !isAtEnd {
      // Another case than the first has a rate of its own.
      rate = await estimatedRate(of: smallest.choices, failure.origin)
    }
    var explanation: [Explanation] = []
    if rate == nil, settings.phases.isSuperset(of: [.shrink, .explain]), !failure.isTimeOut {
      explanation = await explain(smallest, failure.origin)
    }
    var minimal = shown
    if minimal == nil, isAtEnd {
      // Nothing is run any more, so the first failure is shown, with its own error.
      minimal = Shown(
        value: failure.value, error: failure.error, choices: start.choices, notes: [])
    }
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
    let tries = isAtEnd ? 1 : tries
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

/// How often a case was run, and how often it failed.
struct FailureCount {
  var (failed, tried) = (0, 0)
}

extension FailureOrigin {
  /// A case that did not end in time.
  static let timeOut = FailureOrigin(CaseTimedOut(limit: .zero))
}

extension FailedCase {
  var isTimeOut: Bool { origin == .timeOut }
}

extension PropertyRun {
  /// The deviations of a 95 % interval.
  private static var deviations: Double { 1.96 }

  /// Returns the 95 % interval of the failure rate of a failing case; nil if it failed each time it was
  /// run again, or if the run ends before the rate is known.
  func failureRate(of failure: FailedCase<Value>) async -> ClosedRange<Double>? {
    // To run again what does not end only leaves more behind.
    guard !failure.isTimeOut, !isAtEnd else { return nil }
    let (replays, runs) = (settings.flakiness.replays, settings.flakiness.estimateRuns)
    let origin = failure.origin
    if let start = failure.attempt {
      let count = await failures(of: start.choices, origin, runs: replays)
      if count.failed == replays || isAtEnd { return nil }
      return await estimatedRate(of: start.choices, origin)
    }
    let count = await failures(ofGiven: failure.value, origin, runs: replays)
    if count.failed == replays || isAtEnd { return nil }
    return rate(await failures(ofGiven: failure.value, origin, runs: runs))
  }

  /// Returns the 95 % interval of the failure rate of a case; nil if the run ends before it is known.
  func estimatedRate(
    of choices: [Choice], _ origin: FailureOrigin
  ) async -> ClosedRange<Double>? {
    rate(await failures(of: choices, origin, runs: settings.flakiness.estimateRuns))
  }

  /// The fewest runs of which a rate is reported where the run's end leaves no time for all of them: the
  /// interval of eight is up to 0.6 wide.
  private static var fewestRuns: Int { 8 }

  private func rate(_ count: FailureCount) -> ClosedRange<Double>? {
    guard count.tried >= min(Self.fewestRuns, settings.flakiness.estimateRuns) else { return nil }
    return SequentialShare.wilson(count.failed, of: count.tried, deviations: Self.deviations)
  }

  /// Counts how often a case fails in the same way, in as many runs as the end of the run allows.
  private func failures(
    of choices: [Choice], _ origin: FailureOrigin, runs: Int
  ) async -> FailureCount {
    await failures(in: runs) { await self.evaluate(choices).outcome == .failed(origin) }
  }

  /// Counts the failures of some runs; those that the end of the run leaves no time for are not tried.
  func failures(in runs: Int, fails: () async -> Bool) async -> FailureCount {
    var count = FailureCount()
    while count.tried < runs, !isAtEnd, !Task.isCancelled, runner.limiter?.isExhausted != true {
      if await fails() { count.failed += 1 }
      count.tried += 1
    }
    return count
  }

  /// How many other values of an argument are tried.
  ///
  /// If 32 in a row fail, at least 91 % of all do with 95 % certainty (0.91^32 < 0.05).
  private static var trials: Int { 32 }
  /// Fewer trials that came to anything say too little: 8 in a row fail one time in 256 when
  /// half of the values do.
  private static var fewestTrials: Int { 8 }

  /// Finds the arguments that a failing case depends on.
  ///
  /// - Parameters:
  ///   - smallest: the case.
  ///   - origin: of its failure.
  /// - Returns: One for each argument that draws something and of which enough other values could
  ///   be tried, in their order.
  func explain(_ smallest: Attempt, _ origin: FailureOrigin) async -> [Explanation] {
    var explanations: [Explanation] = []
    for (number, argument) in smallest.arguments.enumerated() {
      var (tried, matters) = (0, false)
      for trial in 0..<Self.trials where !matters && !Task.isCancelled && !isAtEnd {
        guard let varied = await vary(argument, number, of: smallest, trial) else { continue }
        switch await evaluate(varied).outcome {
        case .failed(origin): tried += 1
        case .failed, .passed:
          tried += 1
          matters = true
        // It is no other case of the property.
        case .discarded, .overrun: break
        }
      }
      if matters || tried >= Self.fewestTrials {
        explanations.append(Explanation(argument: number, matters: matters, trials: tried))
      }
    }
    return explanations
  }

  /// The case with another value of one argument, or nil when that could not be drawn.
  private func vary(
    _ argument: Span, _ number: Int, of attempt: Attempt, _ trial: Int
  ) async -> [Choice]? {
    let before = Array(attempt.choices[..<argument.start])
    let start = CaseStart.replay(before, tail: .random, seed: seed &+ UInt64(trial))
    guard let record = await runner.draw(start)?.record else { return nil }
    let drawn = Attempt(choices: record.choices, spans: record.spans, outcome: .passed)
    guard number < drawn.arguments.count else { return nil }
    let other = drawn.arguments[number]
    guard other.start == argument.start else { return nil }
    let value = drawn.choices[other.start..<other.end]
    guard value != attempt.choices[argument.start..<argument.end] else { return nil }
    return before + value + attempt.choices[argument.end...]
  }
}

extension Attempt {
  /// The outermost arguments, in their order.
  fileprivate var arguments: [Span] {
    var outermost: [Span] = []
    // Spans around others end after them, so the last is looked at first.
    for span in spans.reversed() where span.kind == .argument {
      if let next = outermost.last, span.start >= next.start { continue }
      outermost.append(span)
    }
    return outermost.reversed()
  }
}

extension PropertyRun {
  /// Looks for a simpler case that fails in the same way.
  ///
  /// Failures of other origins that turn up are kept.
  func shrunk(
    _ start: Attempt, _ origin: FailureOrigin, isFlaky: Bool
  ) async -> ShrinkResult {
    var limits = ShrinkLimits()
    limits.searchEvaluations = min(limits.searchEvaluations, settings.shrinkEvaluations / 2)
    limits.evaluations = settings.shrinkEvaluations - limits.searchEvaluations
    let limit = ContinuousClock.now.advanced(by: settings.shrinkTime)
    limits.deadline = settings.end.map { min($0, limit) } ?? limit
    limits.searchTime = settings.shrinkTime / 10
    // What fails now and then, or never ends, is too costly to be looked for elsewhere.
    if isFlaky || origin == .timeOut { limits.searchEvaluations = 0 }
    let tries = isFlaky ? settings.flakiness.shrinkRuns : 1
    if let limiter = runner.limiter, !limiter.isExhausted, log == nil, origin != .timeOut {
      // All of it shares a thread as long as each case ends in its time.
      let (quick, limits, progress) = (runner.unlimited, limits, CaseLimiter.Progress())
      let shrunk = await limiter.run(watching: progress) {
        await quick.shrunk(start, origin, limits, tries: tries, progress)
      }
      if let (result, slips) = shrunk {
        for slip in slips { total.keep(slip) }
        return result
      }
    }
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
    let (attempt, failure) = testCase.shrinking(end, trace)
    if let failure { total.keep(failure) }
    return attempt
  }
}

extension CaseRunner {
  /// Shrinks a failure here, and returns the failures of other origins that turned up as well.
  fileprivate func shrunk(
    _ start: Attempt, _ origin: FailureOrigin, _ limits: ShrinkLimits, tries: Int,
    _ progress: CaseLimiter.Progress
  ) async -> (ShrinkResult, [FailedCase<Value>]) {
    let slips = Slips()
    @Sendable func run(_ start: CaseStart) async -> Attempt {
      var testCase = TestCase()
      var trace = CaseTrace<Value>()
      let end = await self.run(start, in: &testCase, &trace)
      progress.step()
      let (attempt, failure) = testCase.shrinking(end, trace)
      if let failure, failure.origin != origin { slips.summary.withLock { $0.keep(failure) } }
      return attempt
    }
    let result = await shrink(
      start, limits: limits, explore: { await run(.replay($0, tail: $1, seed: $2)) },
      evaluate: { list in
        var attempt = await run(.replay(list, tail: .overrun))
        var number = 1
        while number < tries, attempt.outcome != .failed(origin), attempt.outcome != .overrun {
          attempt = await run(.replay(list, tail: .overrun))
          number += 1
        }
        return attempt
      })
    return (result, slips.summary.withLock { $0.failures })
  }

  /// The failures of other origins.
  private final class Slips: Sendable {
    let summary = Mutex(RoundSummary<Value>())
  }
}

extension TestCase {
  /// What the shrinker is told of this case once it has ended, and its failure if it failed.
  fileprivate borrowing func shrinking<Value>(
    _ end: CaseEnd, _ trace: CaseTrace<Value>
  ) -> (Attempt, FailedCase<Value>?) {
    let attempt = Attempt(choices: choices, spans: spans, outcome: Attempt.Outcome(end))
    guard case .failed(let error) = end, case .failed(let origin) = attempt.outcome,
      let value = trace.value
    else { return (attempt, nil) }
    return (
      attempt,
      FailedCase(phase: .shrink, value: value, error: error, origin: origin, attempt: attempt)
    )
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
