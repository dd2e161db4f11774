/// The report of `zoombench verify` for people.
struct VerifyTable {
  private let report: VerifyReport

  init(_ report: VerifyReport) { self.report = report }

  func rendered() -> String {
    var text = ""
    for kind in [VerifyPlan.Domain.geometry, .pixels] {
      let rows = report.laws.filter { $0.kind == kind }
      guard !rows.isEmpty else { continue }
      text += table(rows).rendered() + "\n"
    }
    for line in report.leftOut { text += "not tried: \(line)\n" }
    if !report.leftOut.isEmpty { text += "\n" }
    for row in report.laws where row.verdict != .held { text += explained(row) + "\n" }
    return text + summary + "\n" + (report.advice.map { "\($0)\n" } ?? "")
  }

  private func table(_ rows: [VerifyReport.LawRow]) -> TextTable {
    var table = TextTable(columns: [
      .left("law"), .left("subject"), .right("cases"), .right("discards"), .right("seconds"),
      .left("verdict"), .left("rarest class"),
    ])
    for row in rows {
      table.append([
        row.law, row.subject, Format.grouped(row.cases) + (row.isExhaustive ? " all" : ""),
        row.discards == 0 ? Format.nothing : Format.grouped(row.discards),
        Format.significant(row.seconds),
        row.verdict.rawValue,
        // A run that stops at a broken law says nothing of classes.
        row.verdict == .broken ? "" : rarest(in: row),
      ])
    }
    return table
  }

  /// The class that came nearest to being missed; JSON has them all.
  private func rarest(in row: VerifyReport.LawRow) -> String {
    let wanted = row.classes.filter { $0.requiredShare != nil }
    guard
      let rarest = (wanted.isEmpty ? row.classes : wanted).min(by: { $0.share < $1.share })
    else { return "" }
    return "\(rarest.name) \(Format.share(rarest.share))"
      + (rarest.isReached ? "" : " (too few)")
  }

  /// A law that is broken or undecided, with its statement, and what shows it.
  private func explained(_ row: VerifyReport.LawRow) -> String {
    var text = "\(row.law) \(row.subject): \(row.verdict.rawValue). \(row.statement)\n"
    if let reason = row.reason { text += "  \(reason)\n" }
    for breach in row.breaches {
      let input = breach.input.replacing("\n", with: "\n    ")
      text += "  \(input): \(breach.complaint)\n"
      if let rate = breach.failureRate {
        let bounds = rate.map { Format.significant(100 * $0) }.joined(separator: " to ")
        text += "  not every time: in \(bounds) % of repetitions\n"
      }
      text += "  again: \(breach.replay)\n"
      if let picture = breach.picture { text += "  drawn: \(picture)\n" }
    }
    return text
  }

  private var summary: String {
    let cases = [VerifyPlan.Domain.geometry, .pixels].compactMap { kind -> String? in
      let count = report.cases(kind)
      return count > 0 ? "\(Format.grouped(count)) \(kind.rawValue) cases" : nil
    }.joined(separator: ", ")
    let marks =
      report.surprises.map {
        $0 == 0
          ? "every result as expected of the published systems; "
          : "\(Format.count($0, "result")) not as expected of the published systems; "
      } ?? ""
    return """
      \(report.count(.held)) held, \(report.count(.broken)) broken, \
      \(report.count(.undecided)) undecided; \(marks)\(cases); \
      \(Format.significant(report.seconds)) s; seed \(report.seed)
      """
  }
}
