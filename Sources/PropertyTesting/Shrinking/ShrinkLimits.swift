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
  /// When to stop whatever the state; never when nil.
  package var deadline: ContinuousClock.Instant?

  /// The limits argued for beside each, and no deadline.
  package init() {}
}
