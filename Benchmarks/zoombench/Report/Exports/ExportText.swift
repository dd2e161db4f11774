/// Escaping and numbers that several exports share.
enum ExportText {
  /// Replaces scalars: a character of Swift is a grapheme cluster, and a quote that is followed by
  /// a combining mark equals no quote.
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

  /// Names that differ: the second of a name becomes "name #2".
  static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    // Where the next free number is looked for, so that many equal names cost no more than others.
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
