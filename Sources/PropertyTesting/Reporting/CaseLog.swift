#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A log with one line of JSON per case.
///
/// The fields follow Hypothesis' observability schema for test cases, so that its viewers such as Tyche can read them:
/// `type`, `run_start` (seconds since 1970), `property`, `status` (`passed`, `failed` or `gave_up`), `status_reason`,
/// `representation`, `arguments`, `how_generated`, `features`, `timing` (seconds), `metadata` and `coverage`.
struct CaseLog<Value: Sendable>: Sendable {
  let property: String
  let describe: @Sendable (Value) -> String
  let observer: @Sendable (String) -> Void
  private let start: Double

  init(
    property: String, describe: @escaping @Sendable (Value) -> String,
    observer: @escaping @Sendable (String) -> Void
  ) {
    self.property = property
    self.describe = describe
    self.observer = observer
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    start = Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

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
      ("features", .object(Self.features(testCase))),
      ("timing", .object(Self.timing(trace))),
      ("metadata", .object([("choices", .number(Double(testCase.choices.count)))])),
      ("coverage", .null),
    ]).description
  }

  /// Returns the classes as Booleans, the collected values and the scores.
  private static func features(_ testCase: borrowing TestCase) -> [(String, JSONText)] {
    var features: [(String, JSONText)] = []
    func set(_ name: String, _ value: JSONText) {
      features.removeAll { $0.0 == name }
      features.append((name, value))
    }
    for label in testCase.labels { set(label.name, .truth(label.holds)) }
    for entry in testCase.collected { set(entry.table, .text(entry.value)) }
    for score in testCase.scores { set("target: \(score.name)", .number(score.value)) }
    return features
  }

  private static func timing(_ trace: CaseTrace<Value>) -> [(String, JSONText)] {
    guard let began = trace.began, let generated = trace.generated else { return [] }
    var times: [(String, JSONText)] = [
      ("generate", .number(began.duration(to: generated) / .seconds(1)))
    ]
    if let ended = trace.ended {
      times.append(("execute", .number(generated.duration(to: ended) / .seconds(1))))
    }
    return times
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

/// A JSON value with a one-line text.
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
      // RFC 8259 requires escapes below U+0020; some line readers also split at the other characters.
      case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
