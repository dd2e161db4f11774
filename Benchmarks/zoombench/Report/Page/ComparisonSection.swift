internal import Measurement

struct ComparisonSection {
  private let result: BuildComparison
  private let verdict: ComparisonVerdict
  private let id: String

  init(_ result: BuildComparison, id: String) {
    self.result = result
    self.id = id
    verdict = result.verdict
  }

  func markup(_ budget: inout PageBudget) throws -> Markup {
    func lines(_ texts: [String], _ kind: String) -> [[String: Any]] {
      texts.map { ["line": budget.text(Markup(Format.oneLine($0, limit: 300)), kind)] }
    }
    var values: [String: Any] = [
      "id": Markup(id), "base": Markup(Format.shortName(result.base.name)),
      "candidate": Markup(Format.shortName(result.candidate.name)),
      "tone": Markup(verdict.conclusion.style), "verdict": Markup(verdict.headline),
      "sentence": Markup(sentence), "tally": tally,
      "contamination": lines(verdict.contamination, "reason"),
      "notes": lines(verdict.notes, "remark"),
      "margins": Markup(margins), "margin": Markup(Format.percent(result.settings.margin)),
      "same": Markup(Format.percent(result.settings.sameMargin)),
      "rows": PageParts.joined(
        verdict.gated.map { budget.text(ComparisonRows.row($0), "row of a case") }),
      "environment": budget.text(EnvironmentBlock.markup(result), "environment"),
    ]
    if let chart = forest(verdict.gated, "Change of each case") {
      values["forest"] = ["chart": budget.chart(chart, "forest plot")]
    }
    if !verdict.checks.isEmpty {
      var checks: [String: Any] = [
        "rows": PageParts.joined(
          verdict.checks.map { budget.text(ComparisonRows.check($0), "row of a check") })
      ]
      if let chart = forest(verdict.checks, "Change of each check") {
        checks["forest"] = ["chart": budget.chart(chart, "forest plot")]
      }
      values["checks"] = checks
    }
    let details = details(&budget)
    if !details.html.isEmpty { values["details"] = ["content": details] }
    return try PageTemplates.render(PageTemplates.comparison, values)
  }

  private var sentence: String {
    result.overall.map { overall in
      let interval = Format.interval(overall.interval)
      return "Over all cases the geometric mean changed by"
        + " \(Format.change(overall.ratio))\(interval.isEmpty ? "" : " " + interval)."
    } ?? ""
  }

  private var tally: [[String: Any]] {
    Conclusion.allCases.filter { verdict.count($0) > 0 }.map { conclusion in
      [
        "style": Markup(conclusion.style),
        "text": Markup("\(conclusion.badge) \(verdict.count(conclusion))"),
      ]
    }
  }

  private var margins: String {
    let settings = result.settings
    return "Changes up to \(Format.percent(settings.margin)) are never called slower or faster;"
      + " a change within \(Format.percent(settings.sameMargin)) is called the same. A case whose"
      + " true change equals the margin is called slower with a chance of at most"
      + " \(Format.percent(settings.errorRate)). Slower and faster cases must be confirmed by new"
      + " processes. \(Format.title(Format.oneLine(result.claim, limit: 300)))."
  }

  private func forest(_ cases: [ComparisonVerdict.Case], _ title: String) -> Markup? {
    // At most about two screens of rows; the table has the rest.
    let order = cases.map(\.comparison).filter { $0.change.pairs > 0 }
      .sorted { $0.change.ratio > $1.change.ratio }.prefix(80)
    return ForestChart.markup(
      order.map {
        ForestChart.Row(name: PageParts.title($0.name), estimate: $0.change, verdict: $0.verdict)
      },
      settings: result.settings, title: title)
  }

  /// Returns the charts of each case, in the suite's order; the most urgent cases take the budget first.
  private func details(_ budget: inout PageBudget) -> Markup {
    let cases = (verdict.gated + verdict.checks).filter { !$0.comparison.launches.isEmpty }
    let order = cases.indices.sorted { (cases[$0].urgency, $0) < (cases[$1].urgency, $1) }
    var parts: [Int: Markup] = [:]
    for (place, index) in order.enumerated() {
      // Three open parts fill a screen; a click opens the others.
      let isOpen = place < 3 && (cases[index].urgency < 2 || place == 0)
      parts[index] = budget.chart(
        CaseDetails(cases[index]).markup(isOpen: isOpen), "charts of a case")
    }
    return PageParts.joined(cases.indices.compactMap { parts[$0] })
  }
}

extension ComparisonVerdict.Case {
  /// The rank for attention: findings, then undecided cases, other cases, and checks.
  var urgency: Int {
    switch outcome {
    case _ where conclusion == nil: 3
    case .failed: 0
    case .undecided, .unmeasured: 1
    case .passed: 2
    }
  }
}

extension Conclusion {
  var style: String {
    switch self {
    case .pixelsDiffer, .caseFails, .caseMissing, .counterRose: "differs"
    case .partlyInconclusive: "inconclusive"
    case .contaminated, .slower, .inconclusive, .faster, .same: rawValue
    }
  }

  /// The conclusion with a sign, for readers who do not see the colour.
  var badge: String {
    switch self {
    case .pixelsDiffer, .caseFails, .caseMissing, .counterRose: "✗ \(rawValue)"
    case .slower: "▲ slower"
    case .faster: "▼ faster"
    case .same: "= same"
    case .contaminated, .inconclusive, .partlyInconclusive: "? \(rawValue)"
    }
  }
}

enum ComparisonRows {
  static func row(_ found: ComparisonVerdict.Case) -> Markup {
    let one = found.comparison
    let base = one.median(\.base, one.clock)
    let candidate = one.median(\.candidate, one.clock)
    return PageParts.row(
      one.name,
      [
        .init("Base", Format.duration(base), key: base),
        .init("Candidate", Format.duration(candidate), key: candidate),
        .init("Change, CPU", change(one.change(on: .cpu)), key: one.change(on: .cpu).ratio),
        .init("Change, wall", change(one.change(on: .wall)), key: one.change(on: .wall).ratio),
        .init("Verdict", found.badge + reason(found)),
        .init(
          "Pairs",
          Markup(Format.grouped(one.change.pairs))
            + PageParts.more("\(one.change.launches) launches"),
          key: Double(one.change.pairs)),
        .init(
          "Detectable", Format.percent(one.change.detectableChange),
          key: one.change.detectableChange),
        .init("Counters and answers", remarks(one), isLeft: true),
      ])
  }

  static func check(_ found: ComparisonVerdict.Case) -> Markup {
    let one = found.comparison
    let badge: Markup =
      switch one.isSound {
      case nil: PageParts.badge("? undecided", style: "inconclusive")
      case .some(true): PageParts.badge("✓ as expected", style: "agrees")
      case .some(false): PageParts.badge("✗ unexpected", style: "differs")
      }
    return PageParts.row(
      one.name,
      [
        .init("Expected", one.expectation, isLeft: true),
        .init("Change, CPU", change(one.cpu)), .init("Change, wall", change(one.wall)),
        .init("Found", badge + reason(found)),
      ])
  }

  private static func change(_ estimate: ChangeEstimate) -> Markup {
    estimate.pairs == 0
      ? Markup(Format.nothing)
      : Markup(Format.change(estimate.ratio))
        + PageParts.more(
          Format.interval(estimate.interval)
            + (estimate.interval.map { " at \(Format.level($0))" } ?? ""))
  }

  /// Returns the reason that the case does not pass, or that its verdict is not the one from its time.
  private static func reason(_ found: ComparisonVerdict.Case) -> Markup {
    // The banner has the reason for contamination, and the change has its own column.
    guard let reason = found.outcome.message ?? found.comparison.reason,
      found.conclusion != .contaminated, found.conclusion != .slower
    else {
      return Markup(html: "")
    }
    let text = Markup.escaped(Format.oneLine(reason, limit: 200))
    return Markup(html: "<small class=\"reason\">\(text)</small>")
  }

  /// Returns the changes other than time, with at most six counters.
  private static func remarks(_ one: CaseComparison) -> Markup {
    var lines: [Markup] = []
    if one.role == .gated, !one.differingRounds.isEmpty {
      lines.append(
        PageParts.badge(
          "✗ \(one.differingRounds.count) of \(one.answersCompared) answers differ",
          style: "differs"))
    }
    let changed = one.changedCounters
    lines += changed.prefix(6).map { PageParts.more(Self.text($0)) }
    if changed.count > 6 { lines.append(PageParts.more("and \(changed.count - 6) more counters")) }
    if lines.isEmpty, one.answersCompared > 0 { lines.append(PageParts.more("equal")) }
    return PageParts.joined(lines)
  }

  /// Returns a changed counter, such as "bytes read 1,000 → 1,100 (+10 %)".
  static func text(_ change: CounterChange) -> String {
    var text =
      "\(Format.oneLine(change.name, limit: 40)) \(Format.grouped(change.base)) → "
      + Format.grouped(change.candidate)
    if change.base > 0 {
      text += " (\(Format.change(Double(change.candidate) / Double(change.base))))"
    }
    return text
  }
}

extension ComparisonVerdict.Case {
  /// The conclusion of a gated case, or the verdict of a check, as a badge.
  var badge: Markup {
    conclusion.map { PageParts.badge($0.badge, style: $0.style) } ?? Markup(word)
  }
}
