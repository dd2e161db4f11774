/// The simplest failure so far, and what is known of the others.
///
/// The passes are in extensions, by what they change.
final class Shrinker {
  /// The result of one try.
  struct Trial {
    /// Whether the case became simpler.
    let isImprovement: Bool
    /// Whether the list was too short for the generator.
    let isOverrun: Bool
    /// The run, or one known to be the same; nil when the list was not run.
    let attempt: Attempt?

    static let overrun = Trial(isImprovement: false, isOverrun: true, attempt: nil)
    static let none = Trial(isImprovement: false, isOverrun: false, attempt: nil)
  }

  var best: Attempt {
    didSet { cachedLayout = nil }
  }
  private var cachedLayout: SpanLayout?
  let origin: FailureOrigin
  let limits: ShrinkLimits
  private let onSlip: ((Attempt) -> Void)?
  private let evaluate: Evaluate
  private var tree = ChoiceTree()
  private var evaluations = 0
  private var attempts = 0
  private var improvements = 0
  private var evaluationsAtImprovement = 0
  private var reason: ShrinkResult.StopReason?
  /// While failures far away are looked for: how many evaluations there may have been, and when.
  private var searchEnd: (evaluations: Int, time: ContinuousClock.Instant)?
  /// The number of evaluations at which the passes end, if they are limited.
  private var runEnd: Int?
  /// Whether the search for failures far away has ended.
  private var isSearchOver = false

  init(
    _ start: Attempt, origin: FailureOrigin, limits: ShrinkLimits,
    onSlip: ((Attempt) -> Void)?, evaluate: @escaping Evaluate
  ) {
    best = start
    self.origin = origin
    self.limits = limits
    self.onSlip = onSlip
    self.evaluate = evaluate
    tree.learn(start.choices, start)
  }

  /// The number of simpler failures that were found.
  var improvementCount: Int { improvements }

  /// Whether a limit was reached.
  var isStopped: Bool {
    reason != nil || isSearchOver || runEnd.map { evaluations >= $0 } ?? false
  }

  /// The nesting of the spans of the simplest failure.
  var layout: SpanLayout {
    if let cachedLayout { return cachedLayout }
    let layout = SpanLayout(best)
    cachedLayout = layout
    return layout
  }

  var result: ShrinkResult {
    ShrinkResult(
      smallest: best, evaluations: evaluations, attempts: attempts,
      reason: reason ?? .finished)
  }

  /// Runs a list unless it is known, and keeps it if it is a simpler failure of the same origin.
  nonisolated(nonsending) func attempt(_ list: [Choice]) async -> Trial {
    // Also before lists that are known: of those a pass may try many in a row.
    checkLimits()
    guard !isStopped else { return .none }
    switch tree.predict(list) {
    case .known(let attempt):
      return Trial(isImprovement: keep(attempt), isOverrun: false, attempt: attempt)
    case .overrun: return .overrun
    case .unknown: break
    }
    return learn(list, await evaluate(list))
  }

  /// Runs the simplest beginning and what a generator draws after it; keeps nothing.
  nonisolated(nonsending) func explored(
    _ list: [Choice], _ tail: TestCase.Tail, seed: UInt64, _ explore: Explore
  ) async -> Attempt? {
    checkLimits()
    guard !isStopped else { return nil }
    let attempt = await explore(list, tail, seed)
    attempts += 1
    if attempt.outcome != .overrun { evaluations += 1 }
    tree.learn(attempt.choices, attempt)
    if case .failed(let found) = attempt.outcome, found != origin { onSlip?(attempt) }
    return attempt
  }

  private func learn(_ list: [Choice], _ attempt: Attempt) -> Trial {
    attempts += 1
    tree.learn(list, attempt)
    guard attempt.outcome != .overrun else {
      return Trial(isImprovement: false, isOverrun: true, attempt: attempt)
    }
    evaluations += 1
    if case .failed(let found) = attempt.outcome, found != origin { onSlip?(attempt) }
    return Trial(isImprovement: keep(attempt), isOverrun: false, attempt: attempt)
  }

  /// Keeps an attempt if it is a simpler failure of the same origin.
  private func keep(_ attempt: Attempt) -> Bool {
    guard attempt.outcome == .failed(origin), attempt.choices.isSimpler(than: best.choices) else {
      return false
    }
    best = attempt
    improvements += 1
    evaluationsAtImprovement = evaluations
    return true
  }

  /// Whether a list is a simpler failure; it is kept if so.
  nonisolated(nonsending) func improves(_ list: [Choice]) async -> Bool {
    await attempt(list).isImprovement
  }

  /// Begins the search for failures far away, with separate limits; returns whether it may begin.
  ///
  /// A case that crept or stalled may be one that another start does better than.
  func beginSearch() -> Bool {
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
    } else if evaluations >= limits.evaluations || improvements >= limits.improvements
      // A generator that overruns is run too, if less than the property.
      || attempts >= 16 * limits.evaluations
    {
      reason = .evaluations
    } else if evaluations - evaluationsAtImprovement >= limits.stalledEvaluations {
      reason = .stalled
    }
  }
}

extension Shrinker {
  /// Runs the passes until no pass makes the case simpler.
  ///
  /// What removes most comes first, as each choice that is left costs every later pass tries.
  ///
  /// - Parameter most: how many runs of the property this may take.
  nonisolated(nonsending) func run(atMost most: Int? = nil) async {
    runEnd = most.map { evaluations + $0 }
    defer { runEnd = nil }
    await simplifyAll()
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

  /// Tries the simplest case there is, which ends shrinking at once where everything fails.
  nonisolated(nonsending) private func simplifyAll() async {
    _ = await attempt(best.choices.map(\.simplest))
  }
}
