/// A parser of RFC 4180, written independently of our writer.
enum CSVParser {
  struct Failure: Error {}

  static func rows(_ text: String) throws -> [[String]] {
    // Scalars, because Swift treats CR LF, and a quote with a combining mark, as one character.
    let field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.matchingSemantics(.unicodeScalar)
    let twice = /""/.matchingSemantics(.unicodeScalar)
    var rows: [[String]] = [[]]
    var rest = text[...]
    while !rest.isEmpty {
      guard let found = rest.prefixMatch(of: field) else { throw Failure() }
      let (_, quoted, plain, end) = found.output
      let value = quoted.map { String($0.replacing(twice, with: "\"")) } ?? plain.map(String.init)
      rows[rows.count - 1].append(value ?? "")
      if end != "," { rows.append([]) }
      rest = rest[found.range.upperBound...]
    }
    guard rows.removeLast().isEmpty else { throw Failure() }
    return rows
  }
}
