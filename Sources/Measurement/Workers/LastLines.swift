/// The last lines that a program wrote to standard error, for a message of one line.
///
/// A traceback of Python has its cause in the last line and its place in those before it.
package enum LastLines {
  private static let mostLines = 8
  private static let mostCharacters = 600

  /// "; it wrote 'line / line'"; nothing for an empty log.
  package static func phrase(_ log: String) -> String {
    let lines = log.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
      .filter { !$0.isEmpty }.suffix(mostLines)
    guard !lines.isEmpty else { return "" }
    let text = lines.joined(separator: " / ")
    let end = text.suffix(mostCharacters)
    return "; it wrote '\(end.count < text.count ? "…" : "")\(end)'"
  }
}
