/// The simplest failure so far, and what is known of the others.
///
/// Each pass is an extension in a file of its own.
final class Shrinker {
  /// What came of one try.
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

  private(set) var best: Attempt {
    didSet { cachedLayout = nil }
  }
  private var cachedLayout: SpanLayout?
  private let origin: FailureOrigin
  private let limits: ShrinkLimits
  private let onSlip: ((Attempt) -> Void)?
  private var tree = ChoiceTree()
  private var evaluations = 0
  private var attempts = 0
  private var improvements = 0
  private var evaluationsAtImprovement = 0
  private var reason: ShrinkResult.StopReason?

  init(
    _ start: Attempt, origin: FailureOrigin, limits: ShrinkLimits,
    onSlip: ((Attempt) -> Void)?
  ) {
    best = start
    self.origin = origin
    self.limits = limits
    self.onSlip = onSlip
    tree.learn(start.choices, start)
  }

  /// How often something simpler was found.
  var improvementCount: Int { improvements }

  /// Whether a limit was reached.
  var isStopped: Bool { reason != nil }

  /// How the spans of the simplest failure lie in each other.
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
  nonisolated(nonsending) func attempt(_ list: [Choice], _ evaluate: Evaluate) async -> Trial {
    switch tree.predict(list) {
    case .known(let attempt): return Trial(isImprovement: false, isOverrun: false, attempt: attempt)
    case .overrun: return .overrun
    case .unknown: break
    }
    checkLimits()
    guard !isStopped else { return .none }
    let attempt = await evaluate(list)
    attempts += 1
    tree.learn(list, attempt)
    switch attempt.outcome {
    case .overrun:
      return Trial(isImprovement: false, isOverrun: true, attempt: attempt)
    case .passed, .discarded: evaluations += 1
    case .failed(let found):
      evaluations += 1
      guard found == origin else {
        onSlip?(attempt)
        break
      }
      guard attempt.choices.isSimpler(than: best.choices) else { break }
      best = attempt
      improvements += 1
      evaluationsAtImprovement = evaluations
      return Trial(isImprovement: true, isOverrun: false, attempt: attempt)
    }
    return Trial(isImprovement: false, isOverrun: false, attempt: attempt)
  }

  /// Whether a list is a simpler failure; it is kept if so.
  nonisolated(nonsending) func improves(_ list: [Choice], _ evaluate: Evaluate) async -> Bool {
    await attempt(list, evaluate).isImprovement
  }

  private func checkLimits() {
    if Task.isCancelled {
      reason = .cancelled
    } else if evaluations >= limits.evaluations || improvements >= limits.improvements
      // A generator that overruns is run too, if less than the property.
      || attempts >= 16 * limits.evaluations
    {
      reason = .evaluations
    } else if evaluations - evaluationsAtImprovement >= limits.stalledEvaluations {
      reason = .stalled
    } else if let deadline = limits.deadline, ContinuousClock.now >= deadline {
      reason = .deadline
    }
  }
}
