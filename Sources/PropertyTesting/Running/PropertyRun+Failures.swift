internal import Synchronization

extension PropertyRun {
  /// Examines each failure, and each failure of another origin that an examination finds.
  func examineFailures() async {
    let reported = { min(self.total.failures.count, self.settings.failureLimit) }
    while report.failures.count < reported() {
      let examination = Examination(of: total.failures[report.failures.count], in: self)
      report.failures.append(await examination.counterexample())
      for other in examination.others { total.keep(other) }
    }
    report.unreportedFailures = total.failures.count - reported()
  }
}

/// The examination of one failure: its rate, a simpler case, and the arguments that it depends on.
///
/// It takes at most `shrinkTime`, plus a tenth of it to show the case. A case that timed out is not repeated,
/// because each repetition would abandon more work.
private final class Examination<Value: Sendable>: Sendable {
  private let failure: FailedCase<Value>
  private let settings: PropertySettings
  private let seed: UInt64
  private let describe: @Sendable (Value) -> String
  private let runner: CaseRunner<Value>
  private let end: ContinuousClock.Instant
  private let progress = Counter()
  /// The simplest failing case so far, and the failures of other origins.
  private let found = Mutex<(smallest: Attempt?, others: RoundSummary<Value>)>(
    (nil, RoundSummary()))

  init(of failure: FailedCase<Value>, in run: PropertyRun<Value>) {
    (self.failure, settings, seed) = (failure, run.settings, run.seed)
    (describe, runner) = (run.describe, run.runner)
    let limit = ContinuousClock.now + settings.shrinkTime
    end = min(limit, settings.end ?? limit)
  }

  /// Returns the runner with an end time, at which it abandons a running case.
  private func ending(at end: ContinuousClock.Instant) -> CaseRunner<Value> {
    var runner = runner
    runner.end = end
    return runner
  }

  var others: [FailedCase<Value>] { found.withLock { $0.others.failures } }

  private var origin: FailureOrigin { failure.origin }
  private var isTimeOut: Bool { failure.error is CaseTimedOut }

  private var isOver: Bool {
    Task.isCancelled || ContinuousClock.now >= end || runner.limiter?.isExhausted ?? false
  }

  private struct Shown {
    var value: Value
    let error: any Error
    var choices: [Choice]?
    var notes: [String] = []
  }

  func counterexample() async -> Counterexample<Value> {
    var rate = await failureRate()
    var (evaluations, explanation) = (0, [Explanation]())
    var shown = Shown(
      value: failure.value, error: failure.error, choices: failure.attempt?.choices)
    if let start = failure.attempt {
      var smallest = start
      if settings.phases.contains(.shrink), !isOver {
        let result = await shrunk(start, isFlaky: rate != nil)
        (smallest, evaluations) = (result.smallest, result.evaluations)
      }
      let runner = ending(at: max(end, .now) + settings.shrinkTime / 10)
      let failed = await failing(smallest.choices, on: runner, tries: rate == nil ? 1 : 100)
      if smallest.choices != start.choices, rate != nil || failed == nil, !isTimeOut, !isOver {
        // The rate of the first case does not apply to another case.
        rate = await estimatedRate(of: smallest.choices)
      }
      if rate == nil, settings.phases.isSuperset(of: [.shrink, .explain]), !isTimeOut {
        explanation = await explain(smallest)
      }
      if let failed {
        shown = failed
      } else if let drawn = await runner.draw(.replay(smallest.choices, tail: .simplest)) {
        // The case did not fail again: its value is shown with the error seen before.
        (shown.value, shown.choices) = (drawn.value, smallest.choices)
      }
    }
    return Counterexample(
      original: failure.value, minimal: shown.value, description: describe(shown.value),
      error: shown.error, message: "\(shown.error)", origin: origin,
      token: shown.choices.map { ReplayToken($0) }, foundAt: failure.number,
      evaluations: evaluations, phase: failure.phase, failureRate: rate, explanation: explanation,
      notes: shown.notes)
  }

  /// Runs a case up to `tries` times for its value, error and notes; returns nil if no try fails in the same way.
  private func failing(
    _ choices: [Choice], on runner: CaseRunner<Value>, tries: Int
  ) async -> Shown? {
    guard !isTimeOut else { return nil }
    var testCase = TestCase()
    testCase.keepsNotes = true
    for number in 0..<tries where number == 0 || !isOver {
      var trace = CaseTrace<Value>()
      let end = await runner.run(.replay(choices, tail: .overrun), in: &testCase, &trace)
      if case .failed(let error) = end, FailureOrigin(error) == origin, let value = trace.value {
        return Shown(
          value: value, error: error, choices: testCase.choices, notes: testCase.record.notes)
      }
    }
    return nil
  }

  /// Runs a case; keeps its failure if it has a new origin, or the same origin and simpler choices.
  private func evaluate(
    _ start: CaseStart, on runner: CaseRunner<Value>, isGiven: Bool = false
  ) async -> Attempt {
    guard runner.limiter?.isExhausted != true else {
      return Attempt(choices: [], spans: [], outcome: .discarded)
    }
    var testCase = TestCase()
    var trace = CaseTrace<Value>()
    let end = await runner.run(start, in: &testCase, &trace)
    progress.advance(by: 1)
    let attempt = Attempt(
      choices: testCase.choices, spans: testCase.spans, outcome: Attempt.Outcome(end))
    guard case .failed(let error) = end, case .failed(let origin) = attempt.outcome, !isGiven,
      let value = trace.value
    else { return attempt }
    found.withLock { found in
      if origin != self.origin {
        found.others.keep(
          FailedCase(phase: .shrink, value: value, error: error, origin: origin, attempt: attempt))
      } else if found.smallest.map({ attempt.choices.isSimpler(than: $0.choices) }) ?? true {
        found.smallest = attempt
      }
    }
    return attempt
  }
}

extension Examination {
  /// Returns the 95 % interval of the failure rate; nil if the failure always recurs or the time is over.
  private func failureRate() async -> ClosedRange<Double>? {
    guard !isTimeOut, !isOver else { return nil }
    let choices = failure.attempt?.choices
    let replays = settings.flakiness.replays
    if await failures(of: choices, runs: replays).failed == replays || isOver { return nil }
    return await estimatedRate(of: choices)
  }

  private func estimatedRate(of choices: [Choice]?) async -> ClosedRange<Double>? {
    let runs = settings.flakiness.estimateRuns
    let count = await failures(of: choices, runs: runs)
    // If the time ends early, at least eight runs are needed; their interval is up to 0.6 wide.
    guard count.tried >= min(8, runs) else { return nil }
    return SequentialShare.wilson(count.failed, of: count.tried, deviations: 1.96)
  }

  /// Runs a case several times and counts its failures; without choices, runs the failing value itself.
  private func failures(of choices: [Choice]?, runs: Int) async -> (failed: Int, tried: Int) {
    let runner = ending(at: end)
    let own = choices == nil ? runner.given(failure.value) : runner
    let start =
      choices.map { CaseStart.replay($0, tail: .overrun) } ?? .replay([], tail: .random, seed: seed)
    var (failed, tried) = (0, 0)
    while tried < runs, !isOver {
      let attempt = await evaluate(start, on: own, isGiven: choices == nil)
      if attempt.outcome == .failed(origin) { failed += 1 }
      tried += 1
    }
    return (failed, tried)
  }

  /// Searches for a simpler case that fails in the same way.
  ///
  /// If the failure is flaky, a case counts as passing only if 10 runs do not fail. A case that fails in 30 % of runs
  /// is missed once in 35 tries.
  private func shrunk(_ start: Attempt, isFlaky: Bool) async -> ShrinkResult {
    var limits = ShrinkLimits()
    // A tenth of the time is left for the explanation.
    let now = ContinuousClock.now
    limits.deadline = now + now.duration(to: end) * 0.9
    limits.searchTime = settings.shrinkTime / 10
    // For flaky and endless failures, a search far from the start is too costly.
    if isFlaky || isTimeOut { limits.searchEvaluations = 0 }
    let (fixed, origin) = (limits, origin)
    @Sendable func shrunk(_ start: Attempt, on runner: CaseRunner<Value>) async -> ShrinkResult {
      await shrink(
        start, limits: fixed,
        explore: { await self.evaluate(.replay($0, tail: $1, seed: $2), on: runner) },
        evaluate: { list in
          var attempt = await self.evaluate(.replay(list, tail: .overrun), on: runner)
          for _ in 1..<(isFlaky ? 10 : 1)
          where attempt.outcome != .failed(origin) && attempt.outcome != .overrun && !self.isOver {
            attempt = await self.evaluate(.replay(list, tail: .overrun), on: runner)
          }
          return attempt
        })
    }
    if let limiter = runner.limiter, !limiter.isExhausted, !isTimeOut {
      // All cases share a thread as long as each ends in time.
      let quick = runner.unlimited
      let result = await limiter.run(until: end, watching: progress) {
        await shrunk(start, on: quick)
      }
      if let result { return result }
    }
    return await shrunk(found.withLock { $0.smallest } ?? start, on: ending(at: end))
  }

  /// Determines whether a failing case depends on each argument; leaves out arguments with too few other values.
  ///
  /// If 32 values in a row fail, at least 91 % of all values fail, with 95 % certainty (0.91^32 < 0.05). Showing
  /// that an argument does not matter takes at least 8 values: if half of all values fail, 8 in a row fail once in 256.
  private func explain(_ smallest: Attempt) async -> [Explanation] {
    var explanations: [Explanation] = []
    for (number, argument) in smallest.arguments.enumerated() {
      var (tried, matters) = (0, false)
      for trial in 0..<32 where !matters && !isOver {
        guard let varied = await vary(argument, number, of: smallest, trial) else { continue }
        switch await evaluate(.replay(varied, tail: .overrun), on: ending(at: end)).outcome {
        case .failed(origin): tried += 1
        case .failed, .passed:
          tried += 1
          matters = true
        case .discarded, .overrun: break
        }
      }
      if matters || tried >= 8 {
        explanations.append(Explanation(argument: number, matters: matters, trials: tried))
      }
    }
    return explanations
  }

  /// Returns the case with another value of one argument, or nil if none could be drawn.
  private func vary(
    _ argument: Span, _ number: Int, of attempt: Attempt, _ trial: Int
  ) async -> [Choice]? {
    let before = Array(attempt.choices[..<argument.start])
    let start = CaseStart.replay(before, tail: .random, seed: seed &+ UInt64(trial))
    guard let record = await ending(at: end).draw(start)?.record else { return nil }
    let drawn = Attempt(choices: record.choices, spans: record.spans, outcome: .passed)
    guard number < drawn.arguments.count, case let other = drawn.arguments[number],
      other.start == argument.start
    else { return nil }
    let value = drawn.choices[other.start..<other.end]
    guard value != attempt.choices[argument.start..<argument.end] else { return nil }
    return before + value + attempt.choices[argument.end...]
  }
}

extension Attempt {
  /// The outermost arguments, in drawing order.
  fileprivate var arguments: [Span] {
    var outermost: [Span] = []
    // An outer span ends after its inner spans, so spans are visited from the last.
    for span in spans.reversed() where span.kind == .argument {
      if let next = outermost.last, span.start >= next.start { continue }
      outermost.append(span)
    }
    return outermost.reversed()
  }
}

extension Attempt.Outcome {
  fileprivate init(_ end: CaseEnd) {
    self =
      switch end {
      case .passed: .passed
      case .discarded, .cancelled, .stuck: .discarded
      case .overrun: .overrun
      case .failed(let error): .failed(FailureOrigin(error))
      }
  }
}
