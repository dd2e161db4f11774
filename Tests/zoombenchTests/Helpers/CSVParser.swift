/// A parser of RFC 4180, written independently of our writer.
enum CSVParser {
  struct Failure: Error {}

  static func rows(_ text: String) throws -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    // Scalars, because Swift treats CR LF as one character.
    var rest = Array(text.unicodeScalars)[...]
    while !rest.isEmpty {
      row.append(try rest.first == "\"" ? quoted(&rest) : plain(&rest))
      let separator = rest.popFirst()
      if separator == "," { continue }
      guard separator == "\r", rest.popFirst() == "\n" else { throw Failure() }
      rows.append(row)
      row = []
    }
    guard row.isEmpty else { throw Failure() }
    return rows
  }

  private static func plain(_ rest: inout ArraySlice<Unicode.Scalar>) throws -> String {
    let field = rest.prefix { $0 != "," && $0 != "\r" }
    guard !field.contains("\""), !field.contains("\n") else { throw Failure() }
    rest = rest.dropFirst(field.count)
    return String(String.UnicodeScalarView(field))
  }

  /// Returns the text up to the closing quote; two quotes in a row are one.
  private static func quoted(_ rest: inout ArraySlice<Unicode.Scalar>) throws -> String {
    var field = String.UnicodeScalarView()
    rest.removeFirst()
    while let scalar = rest.popFirst() {
      if scalar == "\"" {
        guard rest.first == "\"" else { return String(field) }
        rest.removeFirst()
      }
      field.append(scalar)
    }
    throw Failure()
  }
}
