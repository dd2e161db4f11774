/// One small mistake in one place.
public struct Mutant: Sendable, Hashable {
  /// A place in a source, both counted from 1; columns count UTF-8 bytes.
  public struct Place: Sendable, Hashable, Codable {
    /// The line.
    public let line: Int
    /// The byte of the line.
    public let column: Int
  }

  /// What selects the mutant when the tests run, from 1.
  public var id = 0
  /// The file, from the package's folder.
  public let file: String
  /// The type and the function it stands in, such as `PixelRegion.reduced(by:)`.
  public let function: String
  /// The kind of mistake.
  public let mutationOperator: MutationOperator
  /// The text it takes the place of.
  public let original: String
  /// The text in its place.
  public let replacement: String
  /// Which of the same mistakes in the same function it is, from 1.
  public var occurrence = 1
  /// The bytes of the file that are replaced.
  public let range: Range<Int>
  /// Where they begin.
  public let start: Place
  /// Where they end.
  public let end: Place
  /// The innermost block it stands in: it is reached if that is.
  public var block = 0

  /// What it is called in a function: the same after lines have moved.
  public var name: String {
    let name = "\(mutationOperator.rawValue): \(original.oneLine) → \(replacement.oneLine)"
    return occurrence == 1 ? name : "\(name) #\(occurrence)"
  }
}

extension Mutant: CustomStringConvertible {
  /// The function and the mistake.
  public var description: String { "\(function): \(name)" }
}

extension String {
  /// The text with each stretch of white space as one space.
  var oneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
