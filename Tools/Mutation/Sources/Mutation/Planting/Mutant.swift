/// A small mistake at one place of a source.
public struct Mutant: Sendable, Hashable {
  /// A position in a source; line and column count from 1, columns in UTF-8 bytes.
  public struct Place: Sendable, Hashable, Codable {
    /// The line.
    public let line: Int
    /// The column, in bytes.
    public let column: Int
  }

  /// The number that selects the mutant when the tests run, from 1.
  public var id = 0
  /// The path of the file relative to the package's folder.
  public let file: String
  /// The type and the function that contain it, such as `PixelRegion.reduced(by:)`.
  public let function: String
  /// The kind of mistake.
  public let mutationOperator: MutationOperator
  /// The text that is replaced.
  public let original: String
  /// The replacement.
  public let replacement: String
  /// The index among equal mistakes in the same function, from 1.
  public var occurrence = 1
  /// The range of bytes of the file that is replaced.
  public let range: Range<Int>
  /// The start of the range.
  public let start: Place
  /// The end of the range.
  public let end: Place
  /// The innermost block that contains it; the mutant is reached if that block is.
  public var block = 0

  /// The name in its function, which does not change when lines move.
  public var name: String {
    let name = "\(mutationOperator.rawValue): \(original.oneLine) → \(replacement.oneLine)"
    return occurrence == 1 ? name : "\(name) #\(occurrence)"
  }
}

extension Mutant: CustomStringConvertible {
  /// The function and the name.
  public var description: String { "\(function): \(name)" }
}

extension String {
  /// The text with each run of white space replaced with one space.
  var oneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
