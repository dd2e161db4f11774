extension PropertyRun {
  /// The deviations of a 95 % interval.
  private static var deviations: Double { 1.96 }

  /// How likely a failing case fails: nil when it did whenever it was run again.
  func failureRate(of failure: FailedCase<Value>) async -> ClosedRange<Double>? {
    // To run again what does not end only leaves more behind.
    guard !failure.isTimeOut else { return nil }
    let (replays, runs) = (settings.flakiness.replays, settings.flakiness.estimateRuns)
    if let start = failure.attempt {
      if await failures(of: start.choices, failure.origin, runs: replays) == replays { return nil }
      return await estimatedRate(of: start.choices, failure.origin)
    }
    let (value, origin) = (failure.value, failure.origin)
    if await failures(ofGiven: value, origin, runs: replays) == replays { return nil }
    let count = await failures(ofGiven: value, origin, runs: runs)
    return SequentialShare.wilson(count, of: runs, deviations: Self.deviations)
  }

  /// The 95 % interval of the failure rate of a case.
  func estimatedRate(
    of choices: [Choice], _ origin: FailureOrigin
  ) async -> ClosedRange<Double> {
    let runs = settings.flakiness.estimateRuns
    let count = await failures(of: choices, origin, runs: runs)
    return SequentialShare.wilson(count, of: runs, deviations: Self.deviations)
  }

  /// How often a case fails in the same way, of some runs.
  private func failures(
    of choices: [Choice], _ origin: FailureOrigin, runs: Int
  ) async -> Int {
    var count = 0
    for _ in 0..<runs
    where await evaluate(choices).outcome == .failed(origin) {
      count += 1
    }
    return count
  }
}
