internal import Measurement

/// Workflow commands of GitHub, which marks a run with them: only what is confirmed.
///
/// A step shows at most ten of a kind (zizmor#634), so what is beyond is counted in the last.
enum AnnotationsExport {
  static let limit = 10

  static func rendered(_ input: ReportInput) -> String {
    let findings = ExportedCase.all(of: input).compactMap { one -> String? in
      guard case .failed(let finding, let message) = one.status else { return nil }
      return command(title: finding.title, message: "\(one.name): \(message)")
    }
    guard findings.count > limit else { return findings.joined() }
    return findings.prefix(limit - 1).joined()
      + command(
        title: "More findings", message: "\(findings.count - limit + 1) more; see the report")
  }

  private static func command(title: String, message: String) -> String {
    "::error title=\(property(title))::\(data(message))\n"
  }

  /// The part behind the last colons.
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
