/// Runs a property on a list of choices that is replayed with nothing after its end.
package typealias Evaluate = nonisolated(nonsending) ([Choice]) async -> Attempt

/// Runs a property on a list of choices and as many more as the generator asks for, drawn as
/// `TestCase.Tail` says from a seed.
package typealias Explore =
  nonisolated(nonsending) ([Choice], TestCase.Tail, _ seed: UInt64) async -> Attempt

/// Looks for the simplest list of choices that fails as a first one did.
///
/// Each pass tries edits of the simplest failure so far and keeps what is strictly simpler in the
/// order of `isSimpler(than:)` and fails with the same origin. The passes run in turn until none
/// of them improves on the case. As that order has no endless descent and a pass on an unchanged
/// case tries finitely many lists, this ends even without limits.
///
/// What is left is simplest among its neighbours only. With `explore` cases far from it are tried
/// afterwards, so that whatever failure was met first, shrinking ends on the same one.
///
/// - Parameters:
///   - start: a failure.
///   - limits: when to give up.
///   - onSlip: told of failures with another origin that were met on the way.
///   - explore: see ``Explore``; without it only neighbours are tried.
///   - evaluate: replays a list; never asked the same twice.
/// - Returns: The simplest failure found, and what the search cost.
nonisolated(nonsending) package func shrink(
  _ start: Attempt, limits: ShrinkLimits = ShrinkLimits(),
  onSlip: ((Attempt) -> Void)? = nil, explore: Explore? = nil, evaluate: @escaping Evaluate
) async -> ShrinkResult {
  guard case .failed(let origin) = start.outcome else {
    return ShrinkResult(smallest: start, evaluations: 0, attempts: 0, reason: .finished)
  }
  let shrinker = Shrinker(
    start, origin: origin, limits: limits, onSlip: onSlip, evaluate: evaluate)
  await shrinker.run()
  if let explore { await shrinker.search(explore) }
  return shrinker.result
}

/// When shrinking gives up looking for something simpler.
package struct ShrinkLimits: Sendable {
  /// How often the property may be run.
  ///
  /// Ten times what the most expensive task of the public shrinking challenge needs.
  package var evaluations = 10_000
  /// How often something simpler may be found.
  ///
  /// Most steps halve something, so this is met only by a case that creeps; Hypothesis stops
  /// after 500, but tries more in a step.
  package var improvements = 2_000
  /// How many runs in a row may find nothing simpler.
  ///
  /// More than all passes together try on a final case of 50 choices, so that what ends for this
  /// reason is large. Hypothesis allows 200 and more as it goes along.
  package var stalledEvaluations = 1_000
  /// How many runs look for a simpler failure far from what the passes ended on.
  ///
  /// Some 300 simple cases of the generator, and what it takes to shrink the best of them.
  package var searchEvaluations = 10_000
  /// How long that may take, for properties that are slow.
  package var searchTime: Duration = .seconds(30)
  /// When to stop whatever the state; never when nil.
  package var deadline: ContinuousClock.Instant?

  /// The limits argued for beside each, and no deadline.
  package init() {}
}

/// What shrinking came to.
package struct ShrinkResult: Sendable {
  /// Why shrinking stopped.
  package enum StopReason: Hashable, Sendable {
    /// No pass knows anything simpler.
    case finished
    /// A limit of runs or of improvements was reached.
    case evaluations
    /// For too many runs nothing simpler was found.
    case stalled
    case deadline
    /// The task was cancelled.
    case cancelled
  }

  /// The simplest failure found, which is the start where nothing simpler was.
  package let smallest: Attempt
  /// How often the property was run to its end or discarded the case.
  package let evaluations: Int
  /// How often the generator was run, overruns included.
  package let attempts: Int
  /// Why shrinking stopped.
  package let reason: StopReason

  /// A result of these parts.
  package init(smallest: Attempt, evaluations: Int, attempts: Int, reason: StopReason) {
    self.smallest = smallest
    self.evaluations = evaluations
    self.attempts = attempts
    self.reason = reason
  }
}
