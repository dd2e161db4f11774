extension PropertyRun {
  /// Runs cases in parallel and counts them.
  ///
  /// The result does not depend on the parallelism: each case depends only on its number, all cases run, and they are
  /// added in the order of their numbers.
  func round(
    _ numbers: Range<Int>, _ phase: Phase, _ start: @escaping @Sendable (Int) -> CaseStart
  ) async -> RoundSummary<Value> {
    let lane = CaseLane(runner: runner, phase: phase, deadline: deadline, start: start)
    let summary =
      settings.parallelism == 1 || numbers.count == 1
      ? await lane.run(numbers) : await Self.spread(numbers, lane, over: settings.parallelism)
    total.add(summary)
    return summary
  }

  private static func spread(
    _ numbers: Range<Int>, _ lane: CaseLane<Value>, over lanes: Int
  ) async -> RoundSummary<Value> {
    // Eight blocks per lane balance slow and quick cases; taking a block costs little compared with 256 cases.
    let stretch = min(max(numbers.count / (lanes * 8), 1), 256)
    let next = Counter(numbers.lowerBound)
    let parts = await withTaskGroup(of: [(first: Int, RoundSummary<Value>)].self) { group in
      for _ in 0..<min(lanes, numbers.count) {
        group.addTask {
          var own: [(first: Int, RoundSummary<Value>)] = []
          while true {
            let first = next.advance(by: stretch)
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

struct CaseLane<Value: Sendable>: Sendable {
  let runner: CaseRunner<Value>
  let phase: Phase
  let deadline: ContinuousClock.Instant?
  let start: @Sendable (Int) -> CaseStart

  /// Runs the cases in a range of numbers.
  ///
  /// It stops early at the deadline, when cancelled, or when too much abandoned work is still running.
  ///
  /// With a time limit per case, all cases first share one thread. If one exceeds the limit, all of them run again,
  /// each with its own limit.
  func run(_ numbers: Range<Int>) async -> RoundSummary<Value> {
    if let limiter = runner.limiter, numbers.count > 1, !limiter.isExhausted {
      let lane = CaseLane(
        runner: runner.unlimited, phase: phase, deadline: deadline, start: start)
      let progress = Counter()
      let summary = await limiter.run(watching: progress) {
        await lane.runEach(numbers, progress)
      }
      if let summary { return summary }
    }
    return await runEach(numbers, nil)
  }

  private func runEach(
    _ numbers: Range<Int>, _ progress: Counter?
  ) async -> RoundSummary<Value> {
    var summary = RoundSummary<Value>()
    var testCase = TestCase()
    var trace = CaseTrace<Value>()
    for number in numbers {
      if Task.isCancelled || runner.limiter?.isExhausted ?? false
        || number > 0 && deadline.map({ ContinuousClock.now >= $0 }) ?? false
      {
        summary.isCutShort = true
        break
      }
      // The first 16 cases and one in 64 are timed, to estimate the share of time that the engine takes.
      trace.isTimed = number & 63 == 0 || number < 16
      let end = await runner.run(start(number), in: &testCase, &trace)
      progress?.advance(by: 1)
      if case .cancelled = end {
        summary.isCutShort = true
        break
      }
      summary.add(end, testCase, trace, phase, number)
      if trace.isTimed { summary.addTimes(trace) }
    }
    return summary
  }
}
