internal import Measurement

/// The part of a page that shows one comparison.
struct ComparisonSection {
  let result: BuildComparison
  let id: String

  func markup(_ budget: inout PageBudget) throws -> Markup {
    let outcome = result.outcome
    var values: [String: Any] = [
      "id": Markup(id), "base": Markup(PageParts.name(result.base.name)),
      "candidate": Markup(PageParts.name(result.candidate.name)),
      "tone": Markup(result.differing.isEmpty ? outcome.rawValue : "differs"),
      "verdict": Markup(headline), "sentence": Markup(sentence), "tally": tally,
      "contamination": result.contamination.map { reason -> [String: Any] in
        ["reason": budget.text(Markup(PageParts.name(reason, limit: 300)), "reason")]
      },
      "margins": Markup(margins), "margin": Markup(Format.percent(result.settings.margin)),
      "same": Markup(Format.percent(result.settings.sameMargin)),
      "rows": PageParts.joined(
        result.gated.map { budget.text(ComparisonRows.row($0), "row of a case") }),
      "environment": budget.text(EnvironmentBlock.markup(result), "environment"),
    ]
    if let chart = forest(result.gated, "Change of each case") {
      values["forest"] = ["chart": budget.chart(chart, "forest plot")]
    }
    if !result.checks.isEmpty {
      var checks: [String: Any] = [
        "rows": PageParts.joined(
          result.checks.map { budget.text(ComparisonRows.check($0), "row of a check") })
      ]
      if let chart = forest(result.checks, "Change of each check") {
        checks["forest"] = ["chart": budget.chart(chart, "forest plot")]
      }
      values["checks"] = checks
    }
    let details = details(&budget)
    if !details.html.isEmpty { values["details"] = ["content": details] }
    return try PageTemplates.render(PageTemplates.comparison, values)
  }

  /// The first words of the banner.
  private var headline: String {
    let count = result.gated.count
    let pixels = result.differing.isEmpty ? "" : "Pixels differ. "
    switch result.outcome {
    case .contaminated: return pixels + "Contaminated: no verdict of this run counts"
    case .slower: return pixels + "Slower: \(result.count(.slower)) of \(cases(count))"
    case .inconclusive:
      return pixels
        + (count == 0
          ? "Nothing was compared"
          : "Inconclusive: \(result.count(.inconclusive)) of \(cases(count))")
    case .faster: return pixels + "Faster: \(result.count(.faster)) of \(cases(count)), none slower"
    case .same:
      return pixels + (count == 1 ? "The one case is the same" : "All \(count) cases are the same")
    }
  }

  private func cases(_ count: Int) -> String { count == 1 ? "1 case" : "\(count) cases" }

  private var sentence: String {
    let mean = result.overall.map { overall in
      let interval = Format.interval(overall.interval)
      return "Over all cases the geometric mean of CPU time changed by"
        + " \(Format.change(overall.ratio))\(interval.isEmpty ? "" : " " + interval)."
    }
    let differing = result.differing
    let pixels =
      differing.isEmpty
      ? nil : "In \(cases(differing.count)) the builds answered with other pixels."
    return [mean, pixels].compactMap { $0 }.joined(separator: " ")
  }

  private var tally: [[String: Any]] {
    Verdict.allCases.map { verdict in
      [
        "style": Markup(verdict.rawValue),
        "text": Markup("\(PageParts.text(verdict)) \(result.count(verdict))"),
      ]
    }
  }

  private var margins: String {
    let settings = result.settings
    return "A change of up to \(Format.percent(settings.margin)) is never called slower or faster;"
      + " one known to lie within \(Format.percent(settings.sameMargin)) is called the same. For a"
      + " change of just the margin the chance to be called slower is at most"
      + " \(Format.percent(settings.errorRate)) a case, all looks together; a slower case counts"
      + " only once fresh processes have confirmed it."
  }

  private func forest(_ cases: [CaseComparison], _ title: String) -> Markup? {
    // More rows than a screen of a desk shows twice over are read in the table.
    let order = cases.filter { $0.cpu.pairs > 0 }.sorted { $0.cpu.ratio > $1.cpu.ratio }.prefix(80)
    return ForestChart.markup(
      order.map {
        ForestChart.Row(name: PageParts.title($0.name), estimate: $0.cpu, verdict: $0.verdict)
      },
      settings: result.settings, title: title)
  }

  /// Charts of each case, those that need a look first; the page keeps the order of the suite.
  private func details(_ budget: inout PageBudget) -> Markup {
    let order = result.cases.indices.sorted { left, right in
      (Self.urgency(result.cases[left]), left) < (Self.urgency(result.cases[right]), right)
    }
    var parts: [Int: Markup] = [:]
    for (place, index) in order.enumerated() {
      let one = result.cases[index]
      // Three open parts fill a screen; the others are a click away.
      let isOpen = place < 3 && (Self.urgency(one) < 2 || place == 0)
      parts[index] = budget.chart(CaseDetails(one).markup(isOpen: isOpen), "charts of a case")
    }
    return PageParts.joined(result.cases.indices.compactMap { parts[$0] })
  }

  private static func urgency(_ one: CaseComparison) -> Int {
    if one.hasDifferingAnswers || (one.role == .gated && one.verdict == .slower) { return 0 }
    if one.role == .gated && one.verdict == .inconclusive { return 1 }
    return one.role == .gated ? 2 : 3
  }
}
