internal import Measurement

/// Workflow commands for GitHub's annotations: an error for each finding and each unmeasured picture, a
/// warning for an undecided run, a notice for one with some undecided cases.
///
/// GitHub shows at most ten of a kind per step (zizmor#634), so the last one gives the number of the rest.
enum AnnotationsWriter {
  static let limit = 10

  static func rendered(_ input: ReportInput) -> String {
    var errors = input.files.flatMap(\.result.rows).compactMap { row -> String? in
      guard row.role == .gated, [.failed, .unmeasured].contains(row.verdict.standing) else {
        return nil
      }
      let title =
        row.verdict.standing == .failed ? Format.title(row.verdict.word.rawValue) : "Not measured"
      return command("error", title, "\(row.name): \(row.verdict.reason ?? "")")
    }
    let rest = errors.dropFirst(limit - 1)
    if rest.count > 1 {
      let more = command("error", "More findings", "\(rest.count) more; see the report")
      errors = errors.prefix(limit - 1) + [more]
    }
    let undecided = input.files.map(\.result.conclusion).compactMap { conclusion -> String? in
      guard conclusion.standing == .undecided, let reason = conclusion.explanation else {
        return nil
      }
      let kind = conclusion.word == .partlyUndecided ? "notice" : "warning"
      return command(kind, Format.title(conclusion.word.rawValue), reason)
    }
    return (errors + undecided.prefix(limit)).joined()
  }

  private static func command(_ kind: String, _ title: String, _ message: String) -> String {
    "::\(kind) title=\(Escape.property(title))::\(Escape.command(message))\n"
  }
}
