/// JSON that is to be written in one line.
enum JSONText: CustomStringConvertible {
  case null
  case truth(Bool)
  case number(Double)
  case text(String)
  case object([(String, JSONText)])

  /// The JSON (RFC 8259), in ASCII where it is escaped and UTF-8 elsewhere.
  var description: String {
    switch self {
    case .null: "null"
    case .truth(let value): value ? "true" : "false"
    // JSON has neither infinity nor NaN.
    case .number(let value): value.isFinite ? "\(value)" : "null"
    case .text(let text): Self.quoted(text)
    case .object(let members):
      "{" + members.map { Self.quoted($0.0) + ": \($0.1)" }.joined(separator: ", ") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      // Controls must be escaped; the line separators end a line for some readers of lines.
      case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
