internal import Measurement

/// A summary for GitHub's job page: the verdict, then the cases, those that need attention first.
enum MarkdownExport {
  /// GitHub refuses a summary above 1 MiB; this limit leaves space for other steps.
  static let limit = 900_000

  static func rendered(_ input: ReportInput, limit: Int = limit) -> String {
    let cases = ExportedCase.all(of: input)
    var text = ""
    var left = 0
    var start = 0
    // Leaves space for the line that lists omissions.
    func add(_ part: String) -> Bool {
      guard text.utf8.count + part.utf8.count <= limit - 200 else { return false }
      text += part
      return true
    }
    for file in input.files {
      let own = Array(cases[start..<start + file.caseCount])
      start += file.caseCount
      guard add(heading(file)) else {
        left += own.count
        continue
      }
      for (title, columns, rows) in tables(file, own) where !rows.isEmpty {
        let alignment = columns.indices.map { $0 == 0 ? ":--" : "--:" }
        guard add("\(title)\n\n" + line(columns) + line(alignment)) else {
          left += rows.count
          continue
        }
        for row in rows where !add(line(row)) { left += 1 }
        text += "\n"
      }
    }
    if left > 0 {
      text += "_\(left) of \(cases.count) rows are left out: a job summary may have 1 MiB._\n"
    }
    return text
  }

  private static func heading(_ file: ReportInput.File) -> String {
    switch file.result {
    case .comparison(let result):
      let settings = result.settings
      let verdict = result.verdict
      var text = "## \(cell(result.candidate.name)) against \(cell(result.base.name)):"
      text += " \(verdict.conclusion.rawValue)\n\n\(Format.title(verdict.extent))"
      text += verdict.tally.isEmpty ? ".\n\n" : " (\(verdict.tally)).\n\n"
      text += "Changes up to \(Format.percent(settings.margin)) do not count, within"
      text += " \(Format.percent(settings.sameMargin)) is the same. The change of a case that was"
      text += " measured again is that of the second measurement."
      text += " \(Format.title(cell(result.claim))).\n\n"
      for reason in verdict.contamination.prefix(20) {
        text += "**Contaminated:** \(cell(reason)).\n\n"
      }
      for note in verdict.notes.prefix(20) { text += "Note: \(cell(note)).\n\n" }
      return text
    case .bench(let report):
      let (compared, differing) = report.agreement
      let failed =
        report.failed.isEmpty
        ? "" : " \(cell(report.failed.joined(separator: ", "))) failed and could not be compared."
      let unmeasured =
        report.unmeasured.isEmpty
        ? "" : " \(Format.count(report.unmeasured.count, "picture")) could not be measured."
      return "## \(cell(file.name))\n\n\(differing) of \(compared) answers differ from naive's"
        + " pixels.\(failed)\(unmeasured)\n\n"
    }
  }

  private typealias Table = (title: String, columns: [String], rows: [[String]])

  private static func tables(_ file: ReportInput.File, _ cases: [ExportedCase]) -> [Table] {
    guard case .comparison = file.result else { return [benchTable(cases)] }
    let gated = cases.filter(\.isGated)
    // Stable: within a rank, cases keep their order.
    let order = gated.enumerated().sorted {
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }
    let columns = [
      "case", "verdict", "change of CPU time", "its level", "of wall time", "of its p95",
      "of its p99", "pairs",
      "detectable",
    ]
    return [
      ("### Cases", columns, order.map { row($0.element) }),
      ("### Checks of the run", columns, cases.filter { !$0.isGated }.map(row)),
    ]
  }

  private static func rank(_ one: ExportedCase) -> Int {
    switch (one.outcome, one.conclusion) {
    case (.failed, _): 0
    case (.undecided, _), (.unmeasured, _): 1
    case (.passed, .faster): 2
    default: 3
    }
  }

  private static func row(_ one: ExportedCase) -> [String] {
    guard let found = one.comparison else { return [] }
    var verdict = one.conclusion?.rawValue ?? found.verdict.rawValue
    switch one.outcome {
    case .passed: break
    case .failed: verdict = "**\(verdict)**"
    // The heading already has the reason for contamination.
    case .undecided where one.conclusion == .contaminated: break
    case .undecided(let message), .unmeasured(let message): verdict += ": \(cell(message))"
    }
    return [
      cell(one.name), verdict, Format.estimate(found.change(on: .cpu)),
      Format.level(found.change.interval), Format.estimate(found.change(on: .wall)),
      found.tails?.p95.map { Format.change($0.ratio) } ?? Format.nothing,
      found.tails?.p99.map { Format.change($0.ratio) } ?? Format.nothing,
      String(found.change.pairs), Format.percent(found.change.detectableChange),
    ]
  }

  private static func benchTable(_ cases: [ExportedCase]) -> Table {
    let rows = cases.map { one -> [String] in
      let median = ExportedMedian(one.wall)
      var pixels = "agree"
      switch one.outcome {
      case .failed(_, let message), .unmeasured(let message): pixels = "**\(cell(message))**"
      case .undecided(let message): pixels = cell(message)
      case .passed: break
      }
      return [
        cell(one.name), Format.duration(median?.value),
        Format.duration(median?.samples.quantile(0.95)),
        ratio(one.speedUp), ratio(one.timesFloor), pixels,
      ]
    }
    return ("### Sources", ["case", "p50", "p95", "× naive", "× floor", "pixels"], rows)
  }

  private static func ratio(_ ratio: PairedRatio?) -> String {
    guard let ratio else { return Format.nothing }
    let interval = ratio.interval.map {
      " [\(Format.significant($0.lower)), \(Format.significant($0.upper))]"
    }
    return Format.significant(ratio.ratio) + (interval ?? "")
  }

  /// Returns a table line of cells that are already Markdown.
  static func line(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |\n"
  }

  /// Escapes text so that Markdown shows it unchanged, without markup, links or mentions.
  static func cell(_ text: String) -> String {
    let line = Format.oneLine(text, limit: 200)
    return ExportText.replacing(line) { scalar in
      "\\`*_{}[]<>()#+-!|~&:@$".unicodeScalars.contains(scalar) ? "\\\(scalar)" : nil
    }
  }
}
