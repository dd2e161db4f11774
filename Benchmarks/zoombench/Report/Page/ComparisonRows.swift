internal import Measurement

/// The rows of a comparison's tables.
enum ComparisonRows {
  static func row(_ one: CaseComparison) -> Markup {
    let base = one.median(cpu: true, \.base), candidate = one.median(cpu: true, \.candidate)
    return PageParts.row(
      one.name,
      [
        .init("Base", Format.duration(base), key: base),
        .init("Candidate", Format.duration(candidate), key: candidate),
        .init("Change, CPU", change(one.cpu), key: one.cpu.ratio),
        .init("Change, wall", change(one.wall), key: one.wall.ratio),
        .init("Verdict", PageParts.badge(one.verdict) + reason(one)),
        .init(
          "Pairs",
          Markup(Format.grouped(one.cpu.pairs)) + PageParts.more("\(one.cpu.launches) launches"),
          key: Double(one.cpu.pairs)),
        .init(
          "Detectable", Format.percent(one.cpu.detectableChange), key: one.cpu.detectableChange),
        .init("Counters and answers", remarks(one), isLeft: true),
      ])
  }

  static func check(_ one: CaseComparison) -> Markup {
    let found: Markup =
      switch one.isSound {
      case nil: PageParts.badge("? cannot be told", style: "inconclusive")
      case .some(true): PageParts.badge("✓ as expected", style: "agrees")
      case .some(false): PageParts.badge("✗ otherwise", style: "differs")
      }
    return PageParts.row(
      one.name,
      [
        .init("Expected", expectation(one.role), isLeft: true),
        .init("Change, CPU", change(one.cpu)), .init("Change, wall", change(one.wall)),
        .init("Found", found + reason(one)),
      ])
  }

  /// What a check must find.
  static func expectation(_ role: CaseComparison.Role) -> String {
    switch role {
    case .gated: ""
    case .sameBuild: "the same: one build on both sides"
    case .control: "the same: frozen code in both builds"
    case .canary: "slower: 5 % more work on one side"
    }
  }

  private static func change(_ estimate: ChangeEstimate) -> Markup {
    estimate.pairs == 0
      ? Markup(Format.nothing)
      : Markup(Format.change(estimate.ratio))
        + PageParts.more(Format.interval(estimate.interval))
  }

  private static func reason(_ one: CaseComparison) -> Markup {
    guard let reason = one.reason else { return Markup(html: "") }
    let text = Markup.escaped(PageParts.name(reason, limit: 200))
    return Markup(html: "<small class=\"reason\">\(text)</small>")
  }

  /// What changed beside the time; at most six counters, for a row is no list.
  private static func remarks(_ one: CaseComparison) -> Markup {
    var lines: [Markup] = []
    if one.hasDifferingAnswers {
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

  /// A changed counter, such as "bytes read 1,000 → 1,100 (+10 %)".
  static func text(_ change: CounterChange) -> String {
    var text =
      "\(PageParts.name(change.name, limit: 40)) \(Format.grouped(change.base)) → "
      + Format.grouped(change.candidate)
    if change.base > 0 {
      text += " (\(Format.change(Double(change.candidate) / Double(change.base))))"
    }
    return text
  }
}
