/// Runs a property on a list of choices that is replayed with nothing after its end.
package typealias Evaluate = nonisolated(nonsending) ([Choice]) async -> Attempt

/// Looks for the simplest list of choices that fails as a first one did.
///
/// Each pass tries edits of the simplest failure so far and keeps what is strictly simpler in the
/// order of `isSimpler(than:)` and fails with the same origin. The passes run in turn until none
/// of them improves on the case. As that order has no endless descent and a pass on an unchanged
/// case tries finitely many lists, this ends even without limits.
///
/// - Parameters:
///   - start: a failure.
///   - limits: when to give up.
///   - onSlip: told of failures with another origin that were met on the way.
///   - evaluate: replays a list; never asked the same twice.
/// - Returns: The simplest failure found, and what the search cost.
nonisolated(nonsending) package func shrink(
  _ start: Attempt, limits: ShrinkLimits = ShrinkLimits(),
  onSlip: ((Attempt) -> Void)? = nil, evaluate: Evaluate
) async -> ShrinkResult {
  guard case .failed(let origin) = start.outcome else {
    return ShrinkResult(smallest: start, evaluations: 0, attempts: 0, reason: .finished)
  }
  let shrinker = Shrinker(start, origin: origin, limits: limits, onSlip: onSlip)
  await shrinker.run(evaluate)
  return shrinker.result
}
