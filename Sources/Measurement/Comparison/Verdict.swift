/// What a comparison of two builds says about one case.
///
/// Three answers and the refusal to answer: a noisy run must read neither as "no change" nor as
/// "slower".
package enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
  /// The whole interval lies above the margin, and a second measurement in fresh processes agrees.
  case slower
  /// The whole interval lies below the margin's reciprocal.
  case faster
  /// The whole interval lies within the wider margin of "no change that matters".
  case same
  /// The samples were too few or too noisy to tell, or the run was contaminated.
  case inconclusive
}
