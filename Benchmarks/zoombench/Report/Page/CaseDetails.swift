internal import Measurement

struct CaseDetails {
  private let found: ComparisonVerdict.Case
  private var one: CaseComparison { found.comparison }

  init(_ found: ComparisonVerdict.Case) { self.found = found }

  func markup(isOpen: Bool) -> Markup {
    let name = PageParts.title(one.name)
    let series = [
      SampleSeries(
        name: "base", colour: 0,
        nanoseconds: CaseComparison.wall(one.launches, \.base).flatMap { $0 }),
      SampleSeries(
        name: "candidate", colour: 1,
        nanoseconds: CaseComparison.wall(one.launches, \.candidate).flatMap { $0 }),
    ]
    let legend = SampleSeries.legend(series)
    var charts = PageParts.figure(
      "ECDF", detail: "share of peeks that took at most so long",
      ECDFChart.markup(series, title: "ECDF of \(name)"), caption: legend, isLegend: true)
    charts =
      charts
      + PageParts.figure(
        "Violin", detail: "where wall times crowd; bar: middle half, line: median",
        ViolinChart.markup(series, title: "Violin plot of \(name)"))
    charts = charts + pairs(one.launches, one.first, title: "Pairs in time order", name)
    charts =
      charts
      + PageParts.figure(
        "First peek", detail: "of each fresh process, not among the pairs",
        FirstPeekChart.markup(one.launches, title: "First peeks of \(name)"))
    if let confirmed = one.confirmed {
      charts = charts + pairs(one.confirmation, confirmed, title: "Confirmation", name)
    }
    let summary =
      Markup(name + " ") + (one.role == .gated ? found.badge : Markup("(\(role))"))
      + Markup(
        html: " <small>\(one.clock.word) \(Markup.escaped(Format.estimate(one.change)))</small>")
    return PageParts.details(
      summary, isOpen: isOpen,
      content: facts + Markup(html: "<div class=\"charts\">\(charts.html)</div>"))
  }

  private func pairs(
    _ launches: [PairedLaunch], _ estimate: ChangeEstimate, title: String, _ name: String
  ) -> Markup {
    let keys = """
      <span class="key s0">base ran first</span><span class="key s1">candidate ran first</span>
      """
    let count = launches.map(\.pairs).reduce(0, +)
    let thinned = count > PairChart.mostDots ? "; not every pair is drawn" : ""
    return PageParts.figure(
      title, detail: "candidate over base, \(one.clock.word) time\(thinned)",
      PairChart.markup(
        launches, on: one.clock, estimate: estimate, title: "\(title) of \(name)"),
      caption: Markup(html: keys), isLegend: true)
  }

  private var role: String {
    switch one.role {
    case .gated: "gated"
    case .sameBuild: "A/A check"
    case .control: "control"
    case .canary: "canary"
    }
  }

  private var facts: Markup {
    let repeats = Set(one.launches.map(\.repeats)).sorted()
    let warmUp = one.launches.map(\.warmUpPairs).reduce(0, +)
    let parts = [
      "\(Format.grouped(one.first.pairs)) pairs from \(one.first.launches) launches",
      repeats.last.map { last in
        "each sample \(repeats.count == 1 ? "" : "\(repeats[0])…")\(last) × the work"
      },
      "\(warmUp) pairs of warm-up dropped",
      "interval by \(one.first.unit.rawValue)",
      "robust spread of a pair \(Format.percent(one.first.spread))",
      one.confirmed.map { confirmed in
        "first measurement: \(Format.estimate(one.first)), \(one.first.verdict.rawValue); second:"
          + " \(Format.estimate(confirmed)), \(confirmed.verdict.rawValue)"
      },
      Format.tail("p95", one.tails?.p95), Format.tail("p99", one.tails?.p99),
    ]
    return Markup(
      html: "<p class=\"note\">"
        + Markup.escaped(parts.compactMap { $0 }.joined(separator: "; ")) + ".</p>")
  }
}
