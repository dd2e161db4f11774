/// A small mistake at one place of a source.
package struct Mutant: Sendable, Hashable {
  /// A position in a source; line and column count from 1, columns in UTF-8 bytes.
  package struct Place: Sendable, Hashable, Codable {
    /// The line.
    package let line: Int
    /// The column, in bytes.
    package let column: Int
  }

  /// The number that selects the mutant when the tests run, from 1.
  package var id = 0
  /// The path of the file relative to the package's folder.
  package let file: String
  /// The type and the function that contain it, such as `PixelRegion.reduced(by:)`.
  package let function: String
  /// The kind of mistake.
  package let mutationOperator: MutationOperator
  /// The text that is replaced.
  package let original: String
  /// The replacement.
  package let replacement: String
  /// The index among equal mistakes in the same function, from 1.
  package var occurrence = 1
  /// The range of bytes of the file that is replaced.
  package let range: Range<Int>
  /// The start of the range.
  package let start: Place
  /// The end of the range.
  package let end: Place
  /// The innermost block that contains it; the mutant is reached if that block is.
  package var block = 0

  /// The name in its function, which does not change when lines move.
  package var name: String {
    let name = "\(mutationOperator.rawValue): \(original.oneLine) → \(replacement.oneLine)"
    return occurrence == 1 ? name : "\(name) #\(occurrence)"
  }
}

extension Mutant: CustomStringConvertible {
  /// The function and the name.
  package var description: String { "\(function): \(name)" }
}

extension String {
  /// The text with each run of white space replaced with one space.
  var oneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

/// A kind of small mistake in a source.
///
/// The kinds are those of PIT, Stryker and mutmut to which geometry is sensitive, and common mistakes in geometry:
/// exchanged axes, other roundings, missing limits.
package enum MutationOperator: String, Sendable, Hashable, Codable, CaseIterable {
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
