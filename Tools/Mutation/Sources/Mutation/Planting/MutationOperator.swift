/// A kind of small mistake in a source.
///
/// The kinds are those of PIT, Stryker and mutmut to which geometry is sensitive, and common mistakes in geometry:
/// exchanged axes, other roundings, missing limits.
public enum MutationOperator: String, Sendable, Hashable, Codable, CaseIterable {
  /// Exchanges + and -, * and /, also in assignments; replaces a remainder with a product.
  case arithmetic
  /// Moves the limit of a comparison, or reverses it.
  case comparison
  /// Increases or decreases a number by 1.
  case literal
  /// Exchanges minimum and maximum.
  case extremum
  /// Drops a limit: keeps the unclamped number, or one operand of a minimum or maximum.
  case clamp
  /// Rounds in another direction.
  case rounding
  /// Takes the other axis.
  case axis
  /// Exchanges closed and half-open ranges.
  case range
  /// Drops a minus sign.
  case sign
  /// Exchanges and with or, true with false; drops a negation.
  case boolean
  /// Drops an assignment, or a call whose result is unused.
  case statement
}
