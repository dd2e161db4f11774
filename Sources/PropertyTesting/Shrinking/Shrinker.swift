/// A function that runs a property on a list of choices; a request for more choices is an overrun.
package typealias Evaluate = nonisolated(nonsending) ([Choice]) async -> Attempt

/// A function that runs a property on a list of choices, followed by the choices of a tail with a seed.
package typealias Explore =
  nonisolated(nonsending) ([Choice], TestCase.Tail, _ seed: UInt64) async -> Attempt

/// Searches for the simplest list of choices that fails with the same origin as a given failure.
///
/// Passes edit the simplest failure so far, in turn, until none improves it. An edit is kept if it is strictly simpler
/// and fails with the same origin. Shrinking ends, because no descent in the order of `isSimpler(than:)` is infinite.
///
/// The result is a local minimum. With `explore`, distant cases are tried afterwards, so that different first failures
/// shrink to the same case. `evaluate` is never called twice with the same list.
nonisolated(nonsending) package func shrink(
  _ start: Attempt, limits: ShrinkLimits = ShrinkLimits(),
  explore: Explore? = nil, evaluate: @escaping Evaluate
) async -> ShrinkResult {
  guard case .failed(let origin) = start.outcome else {
    return ShrinkResult(smallest: start, evaluations: 0, attempts: 0, reason: .finished)
  }
  let shrinker = Shrinker(start, origin: origin, limits: limits, evaluate: evaluate)
  await shrinker.run()
  if let explore { await shrinker.search(explore) }
  return shrinker.result
}

package struct ShrinkLimits: Sendable {
  /// The greatest number of runs of the property: ten times as many as any task of the shrinking challenge needs.
  package var evaluations = 10_000
  /// The greatest number of improvements; only a case that improves in tiny steps reaches it.
  package var improvements = 2_000
  /// The greatest number of consecutive runs without an improvement; all passes over 50 choices need fewer.
  package var stalledEvaluations = 1_000
  /// The number of runs that search for a simpler failure far from the result of the passes.
  package var searchEvaluations = 10_000
  /// The time limit of that search, for slow properties.
  package var searchTime: Duration = .seconds(30)
  /// The time at which shrinking stops in any state; nil for no limit.
  package var deadline: ContinuousClock.Instant?

  package init() {}
}

package struct ShrinkResult: Sendable {
  package enum StopReason: Hashable, Sendable {
    /// No pass finds a simpler failure.
    case finished
    /// The limit of runs or improvements, or the limit of runs without an improvement, was reached.
    case evaluations, stalled
    case deadline, cancelled
  }

  /// The simplest failure found; the start if none is simpler.
  package let smallest: Attempt
  /// The number of runs in which the property ended or the case was discarded.
  package let evaluations: Int
  /// The number of runs of the generator, including overruns.
  package let attempts: Int
  package let reason: StopReason
}

/// The run of a property on a list of choices.
package struct Attempt: Sendable {
  package enum Outcome: Hashable, Sendable {
    case failed(FailureOrigin)
    case passed
    /// A filter or an assumption rejected the case.
    case discarded
    /// The list was too short for the generator, so the run gives no verdict on the property.
    case overrun
  }

  /// The choices that the run made, which may differ from the list that it replayed.
  package let choices: [Choice]
  package let spans: [Span]
  package let outcome: Outcome

  package init(choices: [Choice], spans: [Span], outcome: Outcome) {
    (self.choices, self.spans, self.outcome) = (choices, spans, outcome)
  }
}

/// A search for simpler failures, with the best failure so far and a record of all runs.
final class Shrinker {
  struct Trial {
    /// Whether the attempt became the best failure.
    var isImprovement = false
    /// Whether the list was too short for the generator.
    var isOverrun = false
    /// The run, or an earlier equal run; nil if the list was not run.
    var attempt: Attempt?
  }

  var best: Attempt {
    didSet { cachedLayout = nil }
  }
  private var cachedLayout: SpanLayout?
  let origin: FailureOrigin
  let limits: ShrinkLimits
  private let evaluate: Evaluate
  private var tree = ChoiceTree()
  private var evaluations = 0
  private var attempts = 0
  private(set) var improvementCount = 0
  private var evaluationsAtImprovement = 0
  private var reason: ShrinkResult.StopReason?
  /// The number of evaluations and the time at which the search for distant failures ends; nil before the search.
  private var searchEnd: (evaluations: Int, time: ContinuousClock.Instant)?
  /// The number of evaluations at which the passes end, if limited.
  private var runEnd: Int?
  private var isSearchOver = false

  init(
    _ start: Attempt, origin: FailureOrigin, limits: ShrinkLimits, evaluate: @escaping Evaluate
  ) {
    best = start
    (self.origin, self.limits, self.evaluate) = (origin, limits, evaluate)
    tree.learn(start.choices, start)
  }

  var isStopped: Bool {
    reason != nil || isSearchOver || runEnd.map { evaluations >= $0 } ?? false
  }

  var layout: SpanLayout {
    if let cachedLayout { return cachedLayout }
    let layout = SpanLayout(best)
    cachedLayout = layout
    return layout
  }

  var result: ShrinkResult {
    ShrinkResult(
      smallest: best, evaluations: evaluations, attempts: attempts, reason: reason ?? .finished)
  }

  /// Runs a list unless its result is known, and keeps it if it is a simpler failure with the same origin.
  nonisolated(nonsending) func attempt(_ list: [Choice]) async -> Trial {
    // Limits are checked even for known lists, because a pass may try many of them in a row.
    checkLimits()
    guard !isStopped else { return Trial() }
    let attempt: Attempt
    switch tree.predict(list) {
    case .known(let known): attempt = known
    case .overrun: return Trial(isOverrun: true)
    case .unknown:
      attempt = await evaluate(list)
      learn(list, attempt)
    }
    return Trial(
      isImprovement: keep(attempt), isOverrun: attempt.outcome == .overrun, attempt: attempt)
  }

  /// Runs a list followed by drawn choices, without keeping the result as the best failure.
  nonisolated(nonsending) func explored(
    _ list: [Choice], _ tail: TestCase.Tail, seed: UInt64, _ explore: Explore
  ) async -> Attempt? {
    checkLimits()
    guard !isStopped else { return nil }
    let attempt = await explore(list, tail, seed)
    learn(attempt.choices, attempt)
    return attempt
  }

  private func learn(_ list: [Choice], _ attempt: Attempt) {
    attempts += 1
    tree.learn(list, attempt)
    if attempt.outcome != .overrun { evaluations += 1 }
  }

  private func keep(_ attempt: Attempt) -> Bool {
    guard attempt.outcome == .failed(origin), attempt.choices.isSimpler(than: best.choices) else {
      return false
    }
    best = attempt
    improvementCount += 1
    evaluationsAtImprovement = evaluations
    return true
  }

  nonisolated(nonsending) func improves(_ list: [Choice]) async -> Bool {
    await attempt(list).isImprovement
  }

  /// Begins the search for distant failures, with separate limits; returns whether it may begin.
  func beginSearch() -> Bool {
    // After slow progress or a stall, another start may lead to a simpler failure.
    guard reason == nil || reason == .evaluations || reason == .stalled else { return false }
    reason = nil
    searchEnd = (
      evaluations + limits.searchEvaluations, ContinuousClock.now.advanced(by: limits.searchTime)
    )
    return true
  }

  private func checkLimits() {
    if Task.isCancelled {
      reason = .cancelled
    } else if let deadline = limits.deadline, ContinuousClock.now >= deadline {
      reason = .deadline
    } else if let searchEnd {
      isSearchOver = evaluations >= searchEnd.evaluations || ContinuousClock.now >= searchEnd.time
    } else if evaluations >= limits.evaluations || improvementCount >= limits.improvements
      // Overruns also cost time, although less than runs of the property.
      || attempts >= 16 * limits.evaluations
    {
      reason = .evaluations
    } else if evaluations - evaluationsAtImprovement >= limits.stalledEvaluations {
      reason = .stalled
    }
  }

  /// Runs the passes until the case no longer becomes simpler, or for `most` runs of the property.
  ///
  /// The passes that delete the most choices run first, because every choice costs attempts in each later pass.
  nonisolated(nonsending) func run(atMost most: Int? = nil) async {
    runEnd = most.map { evaluations + $0 }
    defer { runEnd = nil }
    // If every case fails, the simplest case ends shrinking at once.
    _ = await attempt(best.choices.map(\.simplest))
    var before = 0
    repeat {
      before = improvementCount
      await removeRejected()
      await deleteSiblings()
      await joinSiblings()
      await simplifySpans()
      await simplifyRuns()
      await replaceByDescendants()
      await narrowBranches()
      await renumber()
      await addSiblings()
      await sortSiblings()
      await lowerDuplicates()
      await lowerEach()
      await redistribute()
      await lowerTogether()
      await deleteRuns()
    } while improvementCount > before && !isStopped
  }
}
