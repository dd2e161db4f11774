internal import Synchronization

extension PropertyRun {
  /// Runs cases in parallel and counts them.
  ///
  /// The result does not depend on the parallelism: each case depends only on its number, all cases run, and they are
  /// added in the order of their numbers.
  func round(
    _ numbers: Range<Int>, _ phase: Phase, _ start: @escaping @Sendable (Int) -> CaseStart
  ) async -> RoundSummary<Value> {
    let lane = CaseLane(runner: runner, phase: phase, deadline: deadline, log: log, start: start)
    let summary =
      settings.parallelism == 1 || numbers.count == 1
      ? await lane.run(numbers) : await Self.spread(numbers, lane, over: settings.parallelism)
    count(summary)
    return summary
  }

  /// Adds cases to the total and passes their log lines to the observer.
  func count(_ summary: RoundSummary<Value>) {
    total.add(summary)
    total.lines = []
    if let observer = settings.observer { summary.lines.forEach(observer) }
  }

  private static func spread(
    _ numbers: Range<Int>, _ lane: CaseLane<Value>, over lanes: Int
  ) async -> RoundSummary<Value> {
    // Eight blocks per lane balance slow and quick cases; taking a block costs little compared with 256 cases.
    let stretch = min(max(numbers.count / (lanes * 8), 1), 256)
    let next = NextNumber(numbers.lowerBound)
    let parts = await withTaskGroup(of: [(first: Int, RoundSummary<Value>)].self) { group in
      for _ in 0..<min(lanes, numbers.count) {
        group.addTask {
          var own: [(first: Int, RoundSummary<Value>)] = []
          while true {
            let first = next.take(stretch)
            guard first < numbers.upperBound else { return own }
            let summary = await lane.run(first..<min(first + stretch, numbers.upperBound))
            own.append((first, summary))
            if summary.isCutShort { return own }
          }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    return parts.sorted { $0.first < $1.first }.reduce(into: RoundSummary()) { $0.add($1.1) }
  }
}

/// A counter that hands out blocks of numbers to concurrent tasks.
private final class NextNumber: Sendable {
  private let next: Atomic<Int>

  init(_ first: Int) { next = Atomic(first) }

  /// Reserves a block of numbers for the caller; returns its first number.
  func take(_ count: Int) -> Int { next.add(count, ordering: .relaxed).oldValue }
}

/// A sequence of cases that run one after the other.
struct CaseLane<Value: Sendable>: Sendable {
  let runner: CaseRunner<Value>
  let phase: Phase
  let deadline: ContinuousClock.Instant?
  let log: CaseLog<Value>?
  let start: @Sendable (Int) -> CaseStart

  /// Runs the cases in a range of numbers; stops early only at the deadline or when cancelled.
  ///
  /// With a time limit per case, all cases first share one thread. If one exceeds the limit, all of them run again,
  /// each with its own limit.
  func run(_ numbers: Range<Int>) async -> RoundSummary<Value> {
    if let limiter = runner.limiter, numbers.count > 1, !limiter.isExhausted {
      let lane = CaseLane(
        runner: runner.unlimited, phase: phase, deadline: deadline, log: log, start: start)
      let progress = CaseLimiter.Progress()
      let summary = await limiter.run(watching: progress) {
        await lane.runEach(numbers, progress)
      }
      if let summary { return summary }
    }
    return await runEach(numbers, nil)
  }

  private func runEach(
    _ numbers: Range<Int>, _ progress: CaseLimiter.Progress?
  ) async -> RoundSummary<Value> {
    var summary = RoundSummary<Value>()
    var testCase = TestCase()
    var trace = CaseTrace<Value>()
    trace.keepsValue = log != nil
    for number in numbers {
      if Task.isCancelled || runner.limiter?.isExhausted ?? false
        || number > 0 && deadline.map({ ContinuousClock.now >= $0 }) ?? false
      {
        summary.isCutShort = true
        break
      }
      // One case in 64 is timed, to estimate the share of the engine; the first 16 cases all are.
      let isSampled = number & 63 == 0 || number < 16
      trace.isTimed = isSampled || log != nil
      let end = await runner.run(start(number), in: &testCase, &trace)
      progress?.step()
      if case .cancelled = end {
        summary.isCutShort = true
        break
      }
      summary.add(end, testCase, trace, phase, number)
      if let log { summary.lines.append(log.line(end, testCase, trace, phase)) }
      if isSampled { summary.addTimes(trace) }
    }
    return summary
  }
}

extension RoundSummary {
  /// Counts a finished case.
  @inline(__always)
  fileprivate mutating func add(
    _ end: CaseEnd, _ testCase: borrowing TestCase, _ trace: CaseTrace<Value>, _ phase: Phase,
    _ number: Int
  ) {
    switch end {
    case .discarded: discards += 1
    case .overrun, .cancelled: oversized += 1
    case .stuck:
      oversized += 1
      stuck += 1
    case .passed, .failed:
      valid += 1
      if !testCase.labels.isEmpty, phase == .generate {
        classes.add(testCase.labels, ofCase: number)
      }
      if !testCase.collected.isEmpty, phase == .generate { tables.add(testCase.collected) }
      for score in testCase.scores {
        let choices = testCase.choices
        keep(score.name, score.value) { choices }
      }
      if case .failed(let error) = end, let value = trace.value {
        let origin = FailureOrigin(error)
        let attempt = Attempt(
          choices: testCase.choices, spans: testCase.spans, outcome: .failed(origin))
        keep(
          FailedCase(
            phase: phase, value: value, error: error, origin: origin, attempt: attempt,
            number: valid))
      }
    }
  }

  /// Adds the times of a sampled case.
  fileprivate mutating func addTimes(_ trace: CaseTrace<Value>) {
    guard let began = trace.began, let generated = trace.generated, let ended = trace.ended
    else { return }
    samples += 1
    generating += began.duration(to: generated)
    testing += generated.duration(to: ended)
    sampled += began.duration(to: .now)
  }
}
