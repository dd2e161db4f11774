import PropertyTesting
import Testing

/// A shrinker, correct or faulty.
typealias ShrinkFunction =
  @Sendable (
    Attempt, ShrinkLimits, ((Attempt) -> Void)?, @escaping ([Choice]) async -> Attempt
  ) async -> ShrinkResult

/// A law that holds for every shrinker on every problem.
enum ShrinkLaw: String, CaseIterable {
  case resultFails = "the result fails with the origin of the start"
  case resultWasRun = "the result is the start or one of the runs"
  case notLarger = "the result is not larger than the start"
  case withinLimits = "the number of runs is within the limit"
  case noRepetition = "no list is run twice"
  case honestCounts = "the counts equal the numbers of runs"
  case slipsAreOthers = "each slip is a failure with another origin"
  case stable = "shrinking a finished result changes nothing"

  /// Returns the laws that a shrinker violates on a problem.
  static func broken(
    by shrinker: ShrinkFunction, on problem: ShrinkProblem, from start: Attempt,
    limits: ShrinkLimits = ShrinkLimits()
  ) async -> Set<ShrinkLaw> {
    var broken: Set<ShrinkLaw> = []
    var asked: Set<[Choice]> = []
    var seen: Set<[Choice]> = [start.choices]
    var (runs, calls) = (0, 0)
    var slips: [Attempt] = []
    let result = await shrinker(start, limits, { slips.append($0) }) { list in
      if !asked.insert(list).inserted { broken.insert(.noRepetition) }
      let attempt = problem.evaluate(list)
      seen.insert(attempt.choices)
      calls += 1
      if attempt.outcome != .overrun { runs += 1 }
      return attempt
    }
    let smallest = result.smallest
    let again = problem.evaluate(smallest.choices)
    if again.outcome != start.outcome || again.choices != smallest.choices {
      broken.insert(.resultFails)
    }
    if !seen.contains(smallest.choices) { broken.insert(.resultWasRun) }
    if start.choices.isSimpler(than: smallest.choices) { broken.insert(.notLarger) }
    if runs > limits.evaluations { broken.insert(.withinLimits) }
    if runs != result.evaluations || calls != result.attempts { broken.insert(.honestCounts) }
    let isOther = { (slip: Attempt) in
      if case .failed = slip.outcome { slip.outcome != start.outcome } else { false }
    }
    if !slips.allSatisfy(isOther) { broken.insert(.slipsAreOthers) }
    if result.reason == .finished, !broken.contains(.resultFails) {
      let second = await shrinker(smallest, limits, nil) { problem.evaluate($0) }
      if second.smallest.choices != smallest.choices { broken.insert(.stable) }
    }
    return broken
  }
}

@Suite struct ShrinkLawsTests {
  private static let shrinker: ShrinkFunction = { start, limits, onSlip, evaluate in
    await shrink(start, limits: limits, onSlip: onSlip, evaluate: evaluate)
  }

  @Test(arguments: ShrinkProblem.all.indices)
  func `no law is broken on any generator and property`(number: Int) async {
    let problem = ShrinkProblem.all[number]
    var tried = 0
    for seed in 0..<UInt64(4) {
      guard let start = problem.firstFailure(seed: seed) else { continue }
      let broken = await ShrinkLaw.broken(by: Self.shrinker, on: problem, from: start)
      #expect(broken.isEmpty, "\(problem.name), seed \(seed)")
      tried += 1
    }
    #expect(tried >= 1, "\(problem.name) never fails")
  }

  @Test(arguments: [0, 1, 2, 7, 30])
  func `no law is broken under tight limits`(most: Int) async {
    var limits = ShrinkLimits()
    limits.evaluations = most
    var tried = 0
    for problem in ShrinkProblem.all {
      guard let start = problem.firstFailure(seed: 5) else { continue }
      let broken = await ShrinkLaw.broken(
        by: Self.shrinker, on: problem, from: start, limits: limits)
      #expect(broken.isEmpty, "\(problem.name)")
      tried += 1
    }
    #expect(tried * 2 > ShrinkProblem.all.count)
  }
}
