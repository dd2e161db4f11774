internal import Measurement

/// Workflow commands of GitHub, which marks a run with them: an error for each finding and for each picture that could not
/// be measured, a warning for a comparison that does not pass, a notice for one that left cases undecided.
///
/// A step shows at most ten of a kind (zizmor#634), so the last counts those beyond.
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

  /// The part after the last colons.
  static func data(_ text: String) -> String {
    ExportText.replacing(text) { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      // Other control characters would garble the log, and some readers break lines at them.
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): " "
      case "\u{2028}", "\u{2029}": " "
      default: nil
      }
    }
  }

  /// A property's value, which colons and commas would end.
  static func property(_ text: String) -> String {
    ExportText.replacing(data(text)) { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : nil }
  }
}
