internal import IIIFRules
internal import ZoomLaws

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
    let servers = report.laws.filter { $0.kind == .server }
    if !servers.isEmpty { text += serverTable(servers).rendered() + "\n" }
    for line in report.leftOut { text += "not tried: \(line)\n" }
    if !report.leftOut.isEmpty { text += "\n" }
    for row in report.laws where row.verdict == .broken || !row.breaches.isEmpty {
      text += explained(row) + "\n"
    }
    text += undecided
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
        // A run that stops at a broken law does not determine shares of classes.
        row.verdict == .broken ? "" : rarest(in: row),
      ])
    }
    return table
  }

  /// Returns a table with one row per picture of a server; rules with problems have separate lines.
  private func serverTable(_ rows: [VerifyReport.LawRow]) -> TextTable {
    var table = TextTable(columns: [
      .left("server and picture"), .right("rules tried"), .right("held"), .right("broken"),
      .right("should not"), .right("left open"), .right("unsteady"), .left("steps that go wrong"),
    ])
    let subjects = rows.indices.map { rows[$0].subject }.reduce(into: [String]()) { list, subject in
      if !list.contains(subject) { list.append(subject) }
    }
    for subject in subjects {
      let rules = rows.filter { $0.subject == subject && ($0.cases > 0 || !$0.breaches.isEmpty) }
      let broken = rules.filter { $0.verdict == .broken }
      let notes = rules.filter { $0.verdict == .held && !$0.breaches.isEmpty }
      let deviations = notes.count { $0.strength == IIIFRule.Strength.should.rawValue }
      let unsteady = rules.count { $0.verdict == .undecided }
      let stages = broken.flatMap { $0.breaches.compactMap(\.stage) }
      table.append([
        subject, "\(rules.count)", "\(rules.count - broken.count - notes.count - unsteady)",
        "\(broken.count)", "\(deviations)", "\(notes.count - deviations)", "\(unsteady)",
        IIIFStage.allCases.map(\.rawValue).filter(stages.contains).joined(separator: ", "),
      ])
    }
    return table
  }

  /// Returns the class that was closest to being missed; JSON has all classes.
  private func rarest(in row: VerifyReport.LawRow) -> String {
    let wanted = row.classes.filter { $0.requiredShare != nil }
    guard
      let rarest = (wanted.isEmpty ? row.classes : wanted).min(by: { $0.share < $1.share })
    else { return "" }
    return "\(rarest.name) \(Format.share(rarest.share))"
      + (rarest.isReached ? "" : " (too few)")
  }

  /// The undecided laws, grouped by reason, because a time limit leaves many.
  private var undecided: String {
    let rows = report.laws.filter { $0.verdict == .undecided && $0.breaches.isEmpty }
    var groups: [(subject: String, reason: String, laws: [String])] = []
    for row in rows {
      let reason = row.reason ?? ""
      if let index = groups.firstIndex(where: { ($0.subject, $0.reason) == (row.subject, reason) })
      {
        groups[index].laws.append(row.law)
      } else {
        groups.append((row.subject, reason, [row.law]))
      }
    }
    let lines = groups.map {
      "undecided: \($0.laws.joined(separator: ", ")) on \($0.subject): \($0.reason)\n"
    }
    return lines.joined() + (lines.isEmpty ? "" : "\n")
  }

  /// Returns a broken or undecided law with its statement and its counterexamples.
  private func explained(_ row: VerifyReport.LawRow) -> String {
    let isOpen = row.strength == IIIFRule.Strength.may.rawValue
    let verdict =
      row.verdict != .held
      ? row.verdict.rawValue
      : isOpen ? "left open by the specification, but unusual" : "not as it should be"
    var text = "\(row.law) \(row.subject): \(verdict). \(row.statement)\n"
    if let reason = row.reason { text += "  \(reason)\n" }
    for defect in PublishedDefect.all where row.defects?.contains(defect.code) == true {
      text += "  \(defect.code): \(defect.summary)\n"
    }
    for breach in row.breaches {
      let input = breach.input.replacing("\n", with: "\n    ")
      let cause = breach.cause.map { " [\($0)]" } ?? ""
      let isNew = breach.isNew == true ? "new: " : ""
      // An input of several lines is a list of events, so the complaint goes on its own line.
      let separator = breach.input.contains("\n") ? "\n  " : ": "
      text += "  \(isNew)\(input)\(separator)\(breach.complaint)\(cause)\n"
      if let rate = breach.failureRate {
        let bounds = rate.map { Format.significant(100 * $0) }.joined(separator: " to ")
        text += "  not every time: in \(bounds) % of repetitions\n"
      }
      text += "  again: \(breach.replay)\n"
      if let play = breach.play { text += "  seen:  \(play)\n" }
      if let picture = breach.picture { text += "  drawn: \(picture)\n" }
    }
    return text
  }

  private var summary: String {
    let cases = [VerifyPlan.Domain.geometry, .pixels, .server].compactMap { kind -> String? in
      let count = report.cases(kind)
      guard count > 0 else { return nil }
      return switch kind {
      case .geometry: Format.count(count, "geometry case")
      case .pixels: Format.count(count, "pixel case")
      case .server: "\(Format.count(count, "check")) of answers"
      }
    }.joined(separator: ", ")
    let marks =
      report.surprises.map {
        $0 == 0
          ? "every result as expected of the published systems; "
          : "\(Format.count($0, "result")) not as expected of the published systems; "
      } ?? ""
    return """
      \(report.count(.held)) held, \(report.count(.broken)) broken, \
      \(report.count(.undecided)) undecided; \(marks)\(cases.isEmpty ? "0 cases" : cases); \
      \(Format.significant(report.seconds)) s; seed \(report.seed)
      """
  }
}
