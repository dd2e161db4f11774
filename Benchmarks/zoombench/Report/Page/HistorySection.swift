/// The part of a page that shows numbers over commits.
struct HistorySection {
  let series: [HistorySeries]
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

  private func figure(_ one: HistorySeries) -> Markup {
    // A phone shows three hundred dots apart; older runs stay in the file.
    let shown = one.last(300)
    let left = one.points.count - shown.points.count
    let name = PageParts.name(one.caseName)
    let span = [shown.points.first, shown.points.last].compactMap { $0 }.map {
      "\(Format.oneLine(String($0.commit.prefix(8)))) (\(Format.oneLine(String($0.date.prefix(10)))))"
    }.joined(separator: " to ")
    let older = left > 0 ? "; \(Format.grouped(left)) older ones are not drawn" : ""
    return PageParts.figure(
      name, detail: PageParts.name(one.measure),
      HistoryChart.markup(shown, title: "History of \(name), \(PageParts.name(one.measure))"),
      caption: Markup("\(shown.points.count) runs, \(span)\(older)"))
  }
}

extension HistorySeries {
  /// The last points, with the steps among them.
  func last(_ count: Int) -> HistorySeries {
    let dropped = max(0, points.count - count)
    var shown = self
    shown.points = Array(points.dropFirst(dropped))
    shown.segmentStarts = segments.map { $0.lowerBound - dropped }.filter { $0 > 0 }
    return shown
  }
}
