/// A parser of RFC 4180, written independently of our writer.
enum CSVParser {
  enum Failure: Error {
    case quoteInPlainField, textAfterQuotedField, openQuote, bareLineEnd
  }

  static func rows(_ text: String) throws -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var field = ""
    var wasQuoted = false
    // Scalars, because Swift treats CR LF as one character.
    var rest = Array(text.unicodeScalars)[...]
    func isAtFieldStart() -> Bool { field.isEmpty && !wasQuoted }
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"" where isAtFieldStart():
        field = try quoted(&rest)
        wasQuoted = true
      case "\"": throw wasQuoted ? Failure.textAfterQuotedField : .quoteInPlainField
      case ",", "\r":
        row.append(field)
        (field, wasQuoted) = ("", false)
        guard scalar == "\r" else { continue }
        guard rest.popFirst() == "\n" else { throw Failure.bareLineEnd }
        rows.append(row)
        row = []
      case "\n": throw Failure.bareLineEnd
      default:
        guard !wasQuoted else { throw Failure.textAfterQuotedField }
        field.unicodeScalars.append(scalar)
      }
    }
    guard row.isEmpty, field.isEmpty else { throw Failure.bareLineEnd }
    return rows
  }

  /// Returns the text up to the closing quote; two quotes in a row are one.
  private static func quoted(_ rest: inout ArraySlice<Unicode.Scalar>) throws -> String {
    var field = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      guard scalar == "\"" else {
        field.append(scalar)
        continue
      }
      guard rest.first == "\"" else { return String(field) }
      rest.removeFirst()
      field.append(scalar)
    }
    throw Failure.openQuote
  }
}
