internal import Measurement

/// Workflow commands for GitHub's annotations: an error for each finding and each unmeasured picture, a
/// warning for a comparison that does not pass, a notice for one with undecided cases.
///
/// GitHub shows at most ten of a kind per step (zizmor#634), so the last one gives the number of the rest.
enum AnnotationsExport {
  static let limit = 10

  static func rendered(_ input: ReportInput) -> String {
    let findings = ExportedCase.all(of: input).compactMap { one -> String? in
      switch one.outcome {
      case .failed(let finding, let message):
        command("error", Format.title(finding), "\(one.name): \(message)")
      case .unmeasured(let message): command("error", "Not measured", "\(one.name): \(message)")
      case .passed, .undecided: nil
      }
    }
    let undecided = input.comparisons.map(\.verdict).compactMap { verdict -> String? in
      guard verdict.conclusion.exitStatus(strict: true) == .inconclusive else { return nil }
      let kind = verdict.conclusion == .partlyInconclusive ? "notice" : "warning"
      return command(kind, verdict.conclusion.title, verdict.explanation)
    }
    return limited(findings, "error") + undecided.prefix(limit).joined()
  }

  private static func limited(_ commands: [String], _ kind: String) -> String {
    guard commands.count > limit else { return commands.joined() }
    return commands.prefix(limit - 1).joined()
      + command(kind, "More findings", "\(commands.count - limit + 1) more; see the report")
  }

  private static func command(_ kind: String, _ title: String, _ message: String) -> String {
    "::\(kind) title=\(property(title))::\(data(message))\n"
  }

  /// Escapes the text of a command.
  static func data(_ text: String) -> String {
    ExportText.replacing(text) { scalar in
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

  /// Escapes the value of a property, including colons and commas, which would end it.
  static func property(_ text: String) -> String {
    ExportText.replacing(data(text)) { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : nil }
  }
}
