/// The last lines that a program wrote to standard error, for a message of one line.
///
/// In a Python traceback, the last line has the cause and the lines before it the place.
package enum LastLines {
  private static let mostLines = 8
  private static let mostCharacters = 600

  /// Returns "; it wrote 'line / line'"; empty for an empty log.
  package static func phrase(_ log: String) -> String {
    let lines = log.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
      .filter { !$0.isEmpty }.suffix(mostLines)
    guard !lines.isEmpty else { return "" }
    let text = lines.joined(separator: " / ")
    let end = text.suffix(mostCharacters)
    return "; it wrote '\(end.count < text.count ? "…" : "")\(end)'"
  }
}
