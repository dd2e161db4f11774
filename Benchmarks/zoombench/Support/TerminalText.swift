/// Makes text safe for a terminal; it may contain file names and messages of other programs.
enum TerminalText {
  /// Escapes characters that control a terminal or change the order of surrounding characters, as in
  /// `\u001b`.
  ///
  /// Line ends and tabs stay. In JSON, such characters occur only in strings, where the escape is equivalent.
  static func safe(_ text: String) -> String {
    guard mayBeUnsafe(text) else { return text }
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      let isLineEnd = scalar == "\n" || (scalar == "\r" && rest.first == "\n")
      if isUnsafe(scalar), !isLineEnd, scalar != "\t" {
        result.append(contentsOf: escape(scalar).unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Returns the escape of a character below U+10000, such as `\u001b`.
  static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// Whether a character is a control character (C0, DEL, C1), or a mark, embedding, override or isolate of
  /// the bidirectional algorithm (UAX #9, section 2).
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Whether the text contains a byte that such characters begin with, a fast check of large results.
  private static func mayBeUnsafe(_ text: String) -> Bool {
    text.utf8.contains { byte in
      switch byte {
      case 0x09, 0x0A: false
      case 0..<0x20, 0x7F, 0xC2, 0xD8, 0xE2: true
      default: false
      }
    }
  }
}
