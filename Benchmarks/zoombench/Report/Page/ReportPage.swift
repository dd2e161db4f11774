internal import Measurement

/// A report as one HTML file that loads nothing and opens in any browser.
struct ReportPage {
  private let input: ReportInput

  init(_ input: ReportInput) { self.input = input }

  /// Returns the page, smaller than `PageBudget.pageLimit` for any input.
  func rendered() throws -> String {
    var budget = PageBudget()
    var content: [Markup] = []
    var links: [[String: Any]] = []
    for (number, file) in input.files.enumerated() {
      let id = "part-\(number + 1)"
      let (section, name) = try section(file, id: id, &budget)
      let fitted = budget.section(section)
      guard !fitted.html.isEmpty else { continue }
      content.append(fitted)
      links.append(["id": Markup(id), "name": Markup(name)])
    }
    if !input.history.isEmpty {
      content.append(HistorySection(series: input.history, id: "history").markup(&budget))
      links.append(["id": Markup("history"), "name": Markup("History")])
    }
    var values: [String: Any] = [
      "title": Markup("zoombench report"), "tool": Markup("zoombench \(ToolVersion.number)"),
      "digest": Markup(PageScript.digest), "style": Markup(html: PageStyle.text),
      "script": Markup(html: PageScript.text), "lead": lead,
      "content": PageParts.joined(content),
    ]
    if links.count > 1 { values["sections"] = ["links": links] }
    if !budget.notes.isEmpty {
      values["notes"] = ["lines": budget.notes.map { ["line": Markup($0)] }]
    }
    values["data_note"] = Markup("")
    values["data"] = Markup("")
    // The note is at most 200 bytes.
    let size = try PageTemplates.render(PageTemplates.page, values).html.utf8.count + 200
    let data = PageData(input, limit: PageBudget.pageLimit - 1 - size)
    values["data_note"] = Markup(data.note)
    values["data"] = Markup(html: data.json)
    return try PageTemplates.render(PageTemplates.page, values).html
  }

  private var lead: Markup {
    let days = Set(
      input.comparisons.map { $0.startedAt.prefix(10) }
        + input.benches.map { $0.startedAt.prefix(10) })
    let parts = [
      counted(input.comparisons.count, "comparison"), counted(input.benches.count, "benchmark"),
      counted(input.history.count, "series", plural: "series"),
      days.sorted().prefix(3).map { Format.oneLine(String($0), limit: 10) }
        .joined(separator: ", "),
    ]
    let text = parts.filter { !$0.isEmpty }.joined(separator: " · ")
    return Markup(html: "<p class=\"soft\">\(Markup.escaped(text))</p>")
  }

  private func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    count == 0 ? "" : count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
  }

  private func section(
    _ file: ReportInput.File, id: String, _ budget: inout PageBudget
  ) throws -> (Markup, name: String) {
    switch file.result {
    case .comparison(let result):
      let conclusion = result.verdict.conclusion.rawValue
      let name = "\(Format.oneLine(result.candidate.name, limit: 40)): \(conclusion)"
      return (try ComparisonSection(result, id: id).markup(&budget), name)
    case .bench(let report):
      // The folder's name is meaningless to the page's readers.
      let last = file.name.split(separator: "/").last.map { String($0) } ?? file.name
      let name = Format.oneLine(last, limit: 60)
      return (try BenchSection(report: report, name: name, id: id).markup(&budget), name)
    }
  }
}
