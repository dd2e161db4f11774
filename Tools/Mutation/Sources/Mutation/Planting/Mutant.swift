/// A small mistake at one place of a source.
package struct Mutant: Sendable, Hashable {
  /// The number that selects the mutant when the tests run, from 1.
  package var id = 0
  package let file: String
  /// The type and the function that contain the mutant, such as `PixelRegion.reduced(by:)`.
  package let function: String
  package let mutationOperator: MutationOperator
  package let original: String
  package let replacement: String
  /// The index among equal mistakes in the same function, from 1.
  package var occurrence = 1
  /// The range of bytes of the file that is replaced.
  package let range: Range<Int>
  package let line: Int
  /// The innermost block that contains the mutant; a check reaches the mutant if it reaches the block.
  package var block = 0

  /// The name of the mutant within its function, which does not change when lines move.
  package var name: String {
    let name = "\(mutationOperator.rawValue): \(original.oneLine) → \(replacement.oneLine)"
    return occurrence == 1 ? name : "\(name) #\(occurrence)"
  }
}

extension String {
  var oneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

/// A kind of small mistake: the operators of PIT, Stryker and mutmut to which geometry is sensitive, and others.
package enum MutationOperator: String, Sendable, Hashable {
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
  /// Replaces an axis with the other.
  case axis
  /// Exchanges closed and half-open ranges.
  case range
  /// Drops a minus sign.
  case sign
  /// Exchanges `&&` with `||`, and `true` with `false`; drops a negation.
  case boolean
  /// Drops an assignment, or a call whose result is unused.
  case statement
}
