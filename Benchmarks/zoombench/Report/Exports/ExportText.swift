/// Escaping and numbers for several exports.
enum ExportText {
  /// Replaces scalars, not characters: in Swift, a quote followed by a combining mark is a grapheme cluster
  /// that does not equal a quote.
  static func replacing(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let other = replacement(scalar) {
        result += other
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns a name as a title: one line of bounded length that is not empty.
  static func title(_ name: String) -> String {
    let line = Format.shortName(name)
    return line.allSatisfy(\.isWhitespace) ? "(no name)" : line
  }

  /// Returns unique names: the second occurrence of a name becomes "name #2".
  static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    // The next number to try for each name, so that many equal names take linear time.
    var next: [String: Int] = [:]
    return names.map { name in
      var unique = name
      while !seen.insert(unique).inserted {
        next[name, default: 1] += 1
        unique = "\(name) #\(next[name] ?? 2)"
      }
      return unique
    }
  }
}
