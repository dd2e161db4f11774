/// What became of a mutant.
public enum MutantState: Sendable, Hashable {
  /// A test failed, or the tests crashed; with the line that tells so.
  case killed(String)
  /// The tests did not end.
  case timedOut
  /// Every test passed.
  case survived
  /// No test reaches it.
  case notCovered
  /// It does not compile; with the compiler's reason.
  case unviable(String)
  /// It cannot be told from the original; with the argument.
  case equivalent(String)
}

/// A mutant and what became of it.
public struct MutantResult: Sendable, Hashable {
  /// The mutant.
  public let mutant: Mutant
  /// What became of it.
  public var state: MutantState

  /// Puts a result together.
  public init(mutant: Mutant, state: MutantState) {
    self.mutant = mutant
    self.state = state
  }
}
