/// A search for simpler failures, with the best failure so far and a record of all runs.
///
/// The passes are in extensions, grouped by what they change.
final class Shrinker {
  /// The result of one attempt.
  struct Trial {
    /// Whether the attempt became the best failure.
    let isImprovement: Bool
    /// Whether the list was too short for the generator.
    let isOverrun: Bool
    /// The run, or a known equal one; nil if the list was not run.
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
  /// The number of evaluations and the time at which the search for distant failures ends; nil before the search.
  private var searchEnd: (evaluations: Int, time: ContinuousClock.Instant)?
  /// The number of evaluations at which the passes end, if limited.
  private var runEnd: Int?
  /// Whether the search for distant failures has ended.
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

  /// The number of improvements so far.
  var improvementCount: Int { improvements }

  /// Whether a limit was reached.
  var isStopped: Bool {
    reason != nil || isSearchOver || runEnd.map { evaluations >= $0 } ?? false
  }

  /// The span layout of the best failure.
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

  /// Runs a list unless its result is known, and keeps it if it is a simpler failure with the same origin.
  nonisolated(nonsending) func attempt(_ list: [Choice]) async -> Trial {
    // Checked even for known lists, because a pass may try many of them in a row.
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

  /// Runs a list followed by drawn choices; does not keep the result as the best failure.
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

  /// Keeps an attempt if it is a simpler failure with the same origin.
  private func keep(_ attempt: Attempt) -> Bool {
    guard attempt.outcome == .failed(origin), attempt.choices.isSimpler(than: best.choices) else {
      return false
    }
    best = attempt
    improvements += 1
    evaluationsAtImprovement = evaluations
    return true
  }

  /// Runs a list; returns whether it is a simpler failure, which is then kept.
  nonisolated(nonsending) func improves(_ list: [Choice]) async -> Bool {
    await attempt(list).isImprovement
  }

  /// Begins the search for distant failures, with separate limits; returns whether it may begin.
  ///
  /// It may begin after slow progress or a stall, because another start may lead to a simpler failure.
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
      // Overruns also cost time, although less than runs of the property.
      || attempts >= 16 * limits.evaluations
    {
      reason = .evaluations
    } else if evaluations - evaluationsAtImprovement >= limits.stalledEvaluations {
      reason = .stalled
    }
  }
}

extension Shrinker {
  /// Runs the passes until the case no longer becomes simpler.
  ///
  /// Passes that delete most come first, because each remaining choice costs attempts in every later pass.
  ///
  /// - Parameter most: the greatest number of runs of the property.
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

  /// Tries the simplest case, which ends shrinking at once if every case fails.
  nonisolated(nonsending) private func simplifyAll() async {
    _ = await attempt(best.choices.map(\.simplest))
  }
}
