extension Shrinker {
  /// Runs the passes until none of them makes the case simpler.
  ///
  /// What removes most comes first, as each choice that is left costs every later pass tries.
  nonisolated(nonsending) func run(_ evaluate: Evaluate) async {
    await simplifyAll(evaluate)
    var before = 0
    repeat {
      before = improvementCount
      await removeRejected(evaluate)
      await deleteSiblings(evaluate)
      await joinSiblings(evaluate)
      await simplifySpans(evaluate)
      await simplifyRuns(evaluate)
      await replaceByDescendants(evaluate)
      await narrowBranches(evaluate)
      await renumber(evaluate)
      await addSiblings(evaluate)
      await sortSiblings(evaluate)
      await lowerDuplicates(evaluate)
      await lowerEach(evaluate)
      await redistribute(evaluate)
      await lowerTogether(evaluate)
      await deleteRuns(evaluate)
    } while improvementCount > before && !isStopped
  }

  /// Tries the simplest case there is, which ends shrinking at once where everything fails.
  nonisolated(nonsending) private func simplifyAll(_ evaluate: Evaluate) async {
    _ = await attempt(best.choices.map(\.simplest), evaluate)
  }
}
