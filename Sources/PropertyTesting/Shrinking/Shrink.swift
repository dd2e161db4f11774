/// Runs a property on a list of choices, with an overrun at the end of the list.
package typealias Evaluate = nonisolated(nonsending) ([Choice]) async -> Attempt

/// Runs a property on a list of choices, followed by choices drawn from a seed in the manner of a `TestCase.Tail`.
package typealias Explore =
  nonisolated(nonsending) ([Choice], TestCase.Tail, _ seed: UInt64) async -> Attempt

/// Searches for the simplest list of choices that fails with the same origin as a given failure.
///
/// Each pass tries edits of the simplest failure so far. It keeps an edit that is strictly simpler in the order of
/// `isSimpler(than:)` and fails with the same origin. The passes run in turn until the case no longer improves. This
/// ends even without limits, because no descent in the order is infinite and a pass on an unchanged case tries finitely
/// many lists.
///
/// The result is a local minimum. With `explore`, distant cases are tried afterwards, so that different first failures
/// shrink to the same case.
///
/// - Parameters:
///   - start: a failure.
///   - limits: the limits of the search.
///   - onSlip: called with each failure of another origin that the search finds.
///   - explore: see ``Explore``; without it, only neighbours are tried.
///   - evaluate: replays a list; never called twice with the same list.
/// - Returns: The simplest failure found, and the cost of the search.
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

/// The limits of shrinking.
package struct ShrinkLimits: Sendable {
  /// The greatest number of runs of the property.
  ///
  /// Ten times the need of the most expensive task of the public shrinking challenge.
  package var evaluations = 10_000
  /// The greatest number of improvements.
  ///
  /// Most steps halve something, so only a case that improves in tiny steps reaches this limit. Hypothesis stops after
  /// 500, but tries more per step.
  package var improvements = 2_000
  /// The greatest number of consecutive runs without an improvement.
  ///
  /// On a final case of 50 choices all passes together need fewer, so only larger cases reach this limit. Hypothesis
  /// allows 200, and more as shrinking proceeds.
  package var stalledEvaluations = 1_000
  /// The number of runs that search for a simpler failure far from the result of the passes.
  ///
  /// About 300 simple cases of the generator, and the runs that shrink the best of them.
  package var searchEvaluations = 10_000
  /// The time limit of that search, for slow properties.
  package var searchTime: Duration = .seconds(30)
  /// The time at which shrinking stops in any state; nil for no limit.
  package var deadline: ContinuousClock.Instant?

  /// Creates the default limits, without a deadline.
  package init() {}
}

/// The result of shrinking.
package struct ShrinkResult: Sendable {
  /// The reason why shrinking stopped.
  package enum StopReason: Hashable, Sendable {
    /// No pass finds a simpler failure.
    case finished
    /// The limit of runs or of improvements was reached.
    case evaluations
    /// The limit of consecutive runs without an improvement was reached.
    case stalled
    case deadline
    /// The task was cancelled.
    case cancelled
  }

  /// The simplest failure found; the start if none is simpler.
  package let smallest: Attempt
  /// The number of runs in which the property ended or the case was discarded.
  package let evaluations: Int
  /// The number of runs of the generator, including overruns.
  package let attempts: Int
  /// The reason why shrinking stopped.
  package let reason: StopReason

  /// Creates a result.
  package init(smallest: Attempt, evaluations: Int, attempts: Int, reason: StopReason) {
    self.smallest = smallest
    self.evaluations = evaluations
    self.attempts = attempts
    self.reason = reason
  }
}
