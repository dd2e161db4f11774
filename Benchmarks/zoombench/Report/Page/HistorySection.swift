internal import MeasurementHistory

struct HistorySection {
  let series: [SeriesReport]
  let id: String

  func markup(_ budget: inout PageBudget) -> Markup {
    let charts = series.map { one in
      budget.chart(figure(one), "chart of history")
    }
    return Markup(
      html: """
        <section aria-labelledby="\(id)"><h2 id="\(id)">History</h2>
        <p class="soft">A dot is a run, with its interval; a level is the median between two steps; \
        a step names the first commit of its level.</p>
        <div class="charts">\(PageParts.joined(charts).html)</div></section>

        """)
  }

  private func figure(_ one: SeriesReport) -> Markup {
    // A phone can show three hundred separate dots; older runs stay in the file.
    let (points, levels) = one.last(300)
    let left = one.points.count - points.count
    let name = Format.shortName(one.series.name)
    let measure = one.series.measure == "cpuToBaseline" ? "the baseline" : "the control"
    let title = "CPU time over \(measure)"
    let span = [points.first, points.last].compactMap { $0 }.map {
      let commit = Format.oneLine(String($0.revision.commit.prefix(8)))
      let date = Format.oneLine(String(($0.revision.committedAt ?? $0.startedAt).prefix(10)))
      return "\(commit) (\(date))"
    }.joined(separator: " to ")
    let older = left > 0 ? "; \(Format.grouped(left)) older ones are not drawn" : ""
    return PageParts.figure(
      name, detail: title,
      HistoryChart.markup(points, levels: levels, title: "History of \(name), \(title)"),
      caption: Markup("\(points.count) runs, \(span)\(older)"))
  }
}
