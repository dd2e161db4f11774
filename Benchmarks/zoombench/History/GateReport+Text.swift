internal import Measurement
internal import MeasurementHistory

extension GateReport {
  /// Returns a table with one row per case, followed by one line per finding.
  func rendered() -> String {
    guard let run else { return "machine \(Shortened.id(machine)): \(refusal ?? "no run")\n" }
    var text = """
      run \(Shortened.id(run.id)) of \(Shortened.revision(run.revision)), \(run.startedAt), \
      machine \(Shortened.id(machine))


      """
    if let refusal { return text + "undecided: \(Format.oneLine(refusal))\n" }
    var table = TextTable(columns: [
      .left("case"), .left("measure"), .right("runs"), .right("newest"), .left("verdict"),
    ])
    for item in cases {
      table.append([
        Format.oneLine(item.name), item.measure ?? Format.nothing, String(item.runs),
        item.newest.map { HistoryText.ratio($0) } ?? Format.nothing, item.verdict.rawValue,
      ])
    }
    for item in missing {
      table.append([
        Format.oneLine(item.name), Format.nothing, Format.nothing, Format.nothing, "missing",
      ])
    }
    text += table.rendered()
    let lines = cases.flatMap(Self.lines) + missing.map(Self.line)
    if !lines.isEmpty { text += "\n" + lines.joined(separator: "\n") + "\n" }
    return text + "\n" + summary + "\n"
  }

  private static func lines(_ item: Case) -> [String] {
    let name = Format.oneLine(item.name)
    let findings = item.findings.map { finding in
      """
      \(name): \(finding.measure.hasPrefix("wall") ? "wall time, " : "")\
      a \(finding.kind.rawValue), \(Format.change(finding.ratio)) \
      (\(finding.direction.rawValue)), commits \(range(finding))
      """ + finding.circumstances.map { "; \(Format.oneLine($0)) meanwhile" }.joined()
    }
    let rises = item.rises.map { rise in
      """
      \(name): \(Format.oneLine(rise.counter)) rose from \(Format.grouped(rise.before)) to \
      \(Format.grouped(rise.now)) since \(Shortened.commit(rise.previous.commit)) \
      (run \(Shortened.id(rise.previous.run)))\(rise.isAllowed ? ", which is allowed" : "")
      """
    }
    let accepted = item.accepted.map { "\(name): accepted, \(Format.oneLine($0))" }
    return findings + rises + [accepted].compactMap { $0 }
  }

  private static func line(_ item: Missing) -> String {
    """
    \(Format.oneLine(item.name)): missing, last measured at \(Shortened.commit(item.last.commit)) \
    (run \(Shortened.id(item.last.run)))
    """
  }

  /// Returns the commits from the last good to the first bad one, and their runs.
  private static func range(_ finding: Finding) -> String {
    let (before, after) = (finding.lastGood, finding.firstBad)
    return """
      \(before.map { Shortened.commit($0.commit) } ?? "")..\(Shortened.commit(after.commit)) \
      (runs \(before.map { Shortened.id($0.run) } ?? "")..\(Shortened.id(after.run)))
      """
  }

  private var summary: String {
    func count(_ verdict: Standing) -> Int { cases.count { $0.verdict == verdict } }
    return
      "\(count(.passed)) passed, \(count(.failed)) failed, \(count(.undecided)) undecided"
      + (missing.isEmpty ? "" : ", \(missing.count) missing")
  }
}
