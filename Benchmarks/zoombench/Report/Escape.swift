/// Escaping for the formats of the writers, scalar by scalar.
///
/// In Swift, a quote followed by a combining mark is a character that does not equal a quote.
package enum Escape {
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

  /// Escapes text for HTML, XML and quoted attributes of both, and replaces the characters that XML 1.0
  /// forbids.
  package static func xml(_ text: String) -> String {
    replacing(text) { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&apos;"
      // In an attribute, a line end would be read as a space.
      case "\n", "\t", "\r": "&#\(scalar.value);"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        "\u{FFFD}"
      default: nil
      }
    }
  }

  /// Escapes text so that Markdown shows it unchanged, without markup, links or mentions.
  static func markdown(_ text: String, limit: Int = 200) -> String {
    replacing(Format.oneLine(text, limit: limit)) { scalar in
      "\\`*_{}[]<>()#+-!|~&:@$".unicodeScalars.contains(scalar) ? "\\\(scalar)" : nil
    }
  }

  /// Returns a field of CSV (RFC 4180), in quotes if it has separators or quotes.
  static func csv(_ field: String) -> String {
    guard field.unicodeScalars.contains(where: ",\"\r\n".unicodeScalars.contains) else {
      return field
    }
    return "\"" + replacing(field) { $0 == "\"" ? "\"\"" : nil } + "\""
  }

  /// Escapes the text of a workflow command of GitHub.
  static func command(_ text: String) -> String {
    replacing(text) { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      // Other control characters would garble the log, and some readers treat them as line breaks.
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): " "
      case "\u{2028}", "\u{2029}": " "
      default: nil
      }
    }
  }

  /// Escapes the value of a command's property, including colons and commas, which would end it.
  static func property(_ text: String) -> String {
    replacing(command(text)) { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : nil }
  }
}
