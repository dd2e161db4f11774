/// A kind of small mistake that is planted into a source.
///
/// The kinds are those of PIT, Stryker and mutmut that geometry is sensitive to, and those its own
/// bugs have: exchanged axes, another rounding, a limit left out.
public enum MutationOperator: String, Sendable, Hashable, Codable, CaseIterable {
  /// Exchanges + and -, * and /, also where they assign; makes a product of a remainder.
  case arithmetic
  /// Moves the limit of a comparison, or turns it around.
  case comparison
  /// Makes a number one larger or one smaller.
  case literal
  /// Exchanges the smaller and the larger.
  case extremum
  /// Leaves a limit out: a clamped number as it was, one operand of a minimum or maximum.
  case clamp
  /// Rounds in another direction.
  case rounding
  /// Takes the other axis.
  case axis
  /// Exchanges a range with its end and one without.
  case range
  /// Drops a minus sign.
  case sign
  /// Exchanges and with or, true with false; drops a negation.
  case boolean
  /// Drops an assignment, or a call whose result nobody uses.
  case statement
}
