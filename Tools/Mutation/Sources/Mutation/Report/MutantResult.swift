/// The state of a mutant after a campaign.
public enum MutantState: Sendable, Hashable {
  /// A test failed or the tests crashed, with the line that reports it.
  case killed(String)
  /// The tests did not end.
  case timedOut
  /// Every test passed.
  case survived
  /// No test reaches the mutant.
  case notCovered
  /// The mutant does not compile, with the compiler's reason.
  case unviable(String)
  /// The mutant behaves like the original, with the argument for it.
  case equivalent(String)
}

/// A mutant and its state.
public struct MutantResult: Sendable, Hashable {
  /// The mutant.
  public let mutant: Mutant
  /// The state of the mutant.
  public var state: MutantState

  /// Creates a result.
  public init(mutant: Mutant, state: MutantState) {
    self.mutant = mutant
    self.state = state
  }
}
