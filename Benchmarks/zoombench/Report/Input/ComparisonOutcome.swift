internal import Measurement

/// What a comparison says as a whole.
enum ComparisonOutcome: String {
  case contaminated, slower, inconclusive, faster, same
}

extension BuildComparison {
  /// The cases whose verdicts count.
  var gated: [CaseComparison] { cases.filter { $0.role == .gated } }

  /// The cases that tell whether the run can be believed.
  var checks: [CaseComparison] { cases.filter { $0.role != .gated } }

  /// Gated cases with a verdict.
  func count(_ verdict: Verdict) -> Int { gated.count { $0.verdict == verdict } }

  /// The worst that is known: a slower case outweighs faster ones, doubt outweighs sameness.
  var outcome: ComparisonOutcome {
    if !contamination.isEmpty { return .contaminated }
    if count(.slower) > 0 { return .slower }
    if gated.isEmpty || count(.inconclusive) > 0 { return .inconclusive }
    return count(.faster) > 0 ? .faster : .same
  }

  /// Cases where the builds gave other pixels: a finding whatever their time.
  var differing: [CaseComparison] { cases.filter(\.hasDifferingAnswers) }
}

extension CaseComparison {
  /// Whether the builds gave other pixels: a finding in the code under test, which checks are not.
  var hasDifferingAnswers: Bool { role == .gated && !differingRounds.isEmpty }

  /// Whether a check came out as it must; nil for a gated case and where it cannot be told.
  var isSound: Bool? {
    switch (role, verdict) {
    case (.gated, _), (_, .inconclusive): nil
    case (.canary, let verdict): verdict == .slower
    case (_, let verdict): verdict == .same
    }
  }

  /// Exact counts that are not equal in both builds, in alphabetical order.
  var changedCounters: [CounterChange] { CounterChange.all(in: counters) }

  /// The median of one piece of work in nanoseconds, over all pairs.
  func median(
    cpu isCPU: Bool, _ arm: (PairedLaunch) -> PairedLaunch.Arm
  ) -> Double? {
    let samples = (isCPU ? Self.cpu(launches, arm) : Self.wall(launches, arm)).flatMap { $0 }
    return (try? SortedSamples(samples))?.median
  }
}
