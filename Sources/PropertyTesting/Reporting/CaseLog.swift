/// A log with one line of JSON per case.
///
/// The fields follow Hypothesis' observability schema for test cases, for viewers such as Tyche. Times are in seconds.
struct CaseLog<Value: Sendable>: Sendable {
  let property: String
  let describe: @Sendable (Value) -> String
  let start = System.time

  /// Returns the log line of a finished case, without a line break.
  func line(
    _ end: CaseEnd, _ testCase: borrowing TestCase, _ trace: CaseTrace<Value>, _ phase: Phase
  ) -> String {
    let text = trace.value.map(describe)
    let (status, reason) = end.observed
    return JSONText.object([
      ("type", .text("test_case")),
      ("run_start", .number(start)),
      ("property", .text(property)),
      ("status", .text(status)),
      ("status_reason", .text(reason)),
      ("representation", .text(text ?? "")),
      ("arguments", .object(text.map { [("value", .text($0))] } ?? [])),
      ("how_generated", .text("during the \(phase.rawValue) phase")),
      ("features", .object(Self.features(testCase.record))),
      ("timing", .object(Self.timing(trace))),
      ("metadata", .object([("choices", .number(Double(testCase.choices.count)))])),
      ("coverage", .null),
    ]).description
  }

  /// Returns the classes as Booleans, the collected values and the scores.
  private static func features(_ record: TestCase.Record) -> [(String, JSONText)] {
    let named: [(String, JSONText)] =
      record.labels.map { ($0.name, .truth($0.holds)) }
      + record.collected.map { ($0.table, .text($0.value)) }
      + record.scores.map { ("target: \($0.name)", .number($0.value)) }
    return named.reduce(into: []) { features, feature in
      features.removeAll { $0.0 == feature.0 }
      features.append(feature)
    }
  }

  private static func timing(_ trace: CaseTrace<Value>) -> [(String, JSONText)] {
    let times = [
      ("generate", trace.began, trace.generated), ("execute", trace.generated, trace.ended),
    ]
    return times.compactMap { name, start, end in
      guard let start, let end else { return nil }
      return (name, .number(start.duration(to: end) / .seconds(1)))
    }
  }
}

extension CaseEnd {
  /// The status and its reason, in the terms of the schema.
  fileprivate var observed: (status: String, reason: String) {
    switch self {
    case .passed: ("passed", "")
    case .failed(let error): ("failed", "\(type(of: error)): \(error)")
    case .discarded: ("gave_up", "discarded")
    case .overrun: ("gave_up", "too large")
    case .stuck: ("gave_up", "the generator did not end in time")
    case .cancelled: ("gave_up", "cancelled")
    }
  }
}

/// A JSON value that is written on one line.
enum JSONText: CustomStringConvertible {
  case null
  case truth(Bool)
  case number(Double)
  case text(String)
  case object([(String, JSONText)])

  /// The JSON text (RFC 8259) in UTF-8, with control characters and line separators escaped.
  var description: String {
    switch self {
    case .null: "null"
    case .truth(let value): value ? "true" : "false"
    // JSON has neither infinity nor NaN.
    case .number(let value): value.isFinite ? "\(value)" : "null"
    case .text(let text): "\"" + text.unicodeScalars.map(Self.escaped).joined() + "\""
    case .object(let members):
      "{" + members.map { "\(JSONText.text($0.0)): \($0.1)" }.joined(separator: ", ") + "}"
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"", "\\": return "\\\(scalar)"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    // RFC 8259 requires escapes below U+0020; some line readers also split at the other characters.
    case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: return String(scalar)
    }
  }
}
