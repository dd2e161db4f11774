internal import Foundation
internal import Measurement

/// The report of `zoombench verify` as a single HTML file, with expected, got and difference for each breach.
struct VerifyPage {
  private let report: VerifyReport

  init(_ report: VerifyReport) { self.report = report }

  func rendered() -> String {
    let shown = report.laws.filter { !$0.breaches.isEmpty || $0.verdict != .held }
    let sections = shown.map(section).joined()
    return """
      <!doctype html><html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <title>zoombench verify</title><style>\(PageStyle.palette)\(Self.style)</style></head><body>
      <h1>zoombench verify</h1>
      <p>\(Markup.escaped(summary))</p><p class="soft"><code>\(Markup.escaped(command))</code></p>
      \(overview)\(sections.isEmpty ? "<p>Nothing is broken.</p>" : sections)</body></html>

      """
  }

  private var summary: String {
    let marks = report.surprises.map {
      $0 == 0
        ? "; every result as expected of the published systems"
        : "; \(Format.count($0, "result")) not as expected of the published systems"
    }
    return "\(report.count(.held)) held, \(report.count(.broken)) broken, "
      + "\(report.count(.undecided)) undecided\(marks ?? ""); \(report.startedAt); "
      + "seed \(report.seed); "
      + [report.tool, report.environment.cpuModel, report.environment.operatingSystem]
      .compactMap(\.self).joined(separator: ", ")
  }

  private var command: String {
    report.command.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
  }

  private var overview: String {
    let subjects = report.laws.map { $0.subject }.reduce(into: [String]()) { list, subject in
      if !list.contains(subject) { list.append(subject) }
    }
    let rows = subjects.map { subject in
      let laws = report.laws.filter { $0.subject == subject }
      let broken = laws.count { $0.verdict == .broken }
      let notes = laws.count { $0.verdict == .held && !$0.breaches.isEmpty }
      return "<tr><td>\(Markup.escaped(subject))</td><td>\(laws.count)</td>"
        + "<td class=\"\(broken > 0 ? "bad" : "good")\">\(broken)</td><td>\(notes)</td></tr>"
    }
    return "<table><tr><th>subject</th><th>laws and rules</th><th>broken</th><th>notes</th></tr>"
      + rows.joined() + "</table>"
  }

  private func section(_ row: VerifyReport.LawRow) -> String {
    let verdict = row.verdict == .held ? "a note" : row.verdict.rawValue
    return """
      <section><h2>\(Markup.escaped(row.law)) <small>\(Markup.escaped(row.subject))</small>
      <span class="\(row.verdict == .broken ? "bad" : "calm")">\(verdict)</span></h2>
      <p>\(Markup.escaped(row.statement)) <span class="soft">\(Markup.escaped(row.source))</span></p>
      \(row.reason.map { "<p>\(Markup.escaped($0))</p>" } ?? "")\(row.breaches.map { finding($0, of: row) }.joined())
      </section>
      """
  }

  private func finding(
    _ breach: VerifyReport.BreachRow, of row: VerifyReport.LawRow
  ) -> String {
    let facts = [
      breach.isNew == true ? "new" : nil, breach.stage.map { "step: \($0)" },
      breach.cause.map { "cause: \($0)" },
      breach.foundAfter.map { "first seen after \($0) requests" },
    ].compactMap(\.self).joined(separator: "; ")
    return """
      <div class="finding"><pre>\(Markup.escaped(breach.input))</pre>
      <p>\(Markup.escaped(breach.complaint))</p>
      \(facts.isEmpty ? "" : "<p class=\"soft\">\(Markup.escaped(facts))</p>")
      \(picture(breach))<p class="soft">Again: <code>\(Markup.escaped(breach.replay))</code>
      \(seen(row, breach))</p></div>
      """
  }

  /// Returns how to replay a gesture: the command that serves the page, and the page's address.
  private func seen(_ row: VerifyReport.LawRow, _ breach: VerifyReport.BreachRow) -> String {
    guard let command = breach.play else { return "" }
    let fragment = PlayLink.fragment(law: row.law, subject: row.subject, token: breach.token)
    let address = Markup.escaped("http://127.0.0.1:\(PlayCommand.usualPort)/\(fragment)")
    return "<br>Step by step: <code>\(Markup.escaped(command))</code>, or while zoombench play "
      + "runs, <a href=\"\(address)\">here</a>"
  }

  private func picture(_ breach: VerifyReport.BreachRow) -> String {
    guard let file = breach.picture, let data = try? Data(contentsOf: URL(filePath: file)) else {
      return ""
    }
    return "<figure><img alt=\"expected, got, difference\" "
      + "src=\"data:image/png;base64,\(data.base64EncodedString())\">"
      + "<figcaption>expected, got, and the answer with what differs in magenta</figcaption></figure>"
  }

  private static let style = """
    body{font:16px/1.5 system-ui,sans-serif;background:var(--ground);color:var(--ink);margin:0 auto;
    padding:1rem;max-width:72rem}h1{font-size:1.4rem}h2{font-size:1.1rem;margin:0}
    small,.soft,figcaption{color:var(--soft);font-size:.85rem;font-weight:400}
    .bad{color:var(--bad)}.good{color:var(--good)}.calm{color:var(--calm)}
    section{background:var(--card);border:1px solid var(--rule);border-radius:8px;padding:1rem;
    margin:1rem 0}.finding{border-top:1px solid var(--rule);margin-top:.6rem}
    code{font-size:.85rem;overflow-wrap:anywhere}figure{margin:0}
    img{max-width:100%;image-rendering:pixelated}table{border-collapse:collapse}
    td,th{padding:.2rem .8rem .2rem 0;text-align:left;border-bottom:1px solid var(--rule)}
    """
}
