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
