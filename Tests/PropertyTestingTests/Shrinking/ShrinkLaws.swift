import PropertyTesting

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
