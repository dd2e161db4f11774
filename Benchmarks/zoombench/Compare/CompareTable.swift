internal import Foundation
internal import Measurement

/// A comparison for people: a line a case, then what it amounts to.
struct CompareTable {
  private let result: BuildComparison
  private let verdict: ComparisonVerdict

  init(_ result: BuildComparison) {
    self.result = result
    verdict = result.verdict
  }

  func rendered() -> String {
    var table = TextTable(
      columns: [
        .left("case"), .right("base"), .right("candidate"), .right("CPU change"),
        .left("interval"), .right("level"), .left("verdict"), .right("pairs"), .right("detects"),
      ])
    for one in verdict.gated + verdict.checks { table.append(row(one)) }
    return heading() + table.rendered() + notes() + "\n" + summary() + "\n"
  }

  private func heading() -> String {
    let settings = result.settings
    return """
      base       \(Self.describe(result.base))
      candidate  \(Self.describe(result.candidate))
      slower, faster: beyond \(Format.percent(settings.margin)); same: within \
      \(Format.percent(settings.sameMargin)); error rate per case: \
      \(Format.percent(settings.errorRate))
      base, candidate: the median CPU time of one run of the work, of the launches that the change is \
      estimated from; the change of a case that was measured again is that of the second measurement
      \(result.claim)


      """
  }

  private static func describe(_ build: BuildComparison.Build) -> String {
    let commit = build.commit.map {
      " (\($0.prefix(12))\(build.isDirty == true ? ", with changes" : ""))"
    }
    return "\(Format.oneLine(build.name))\(commit ?? ""), \(build.tool)"
  }

  private func row(_ one: ComparisonVerdict.Case) -> [String] {
    let each = one.comparison
    let change = each.change
    let interval = change.interval.map {
      "\(Format.change($0.lower))…\(Format.change($0.upper))"
    }
    return [
      each.name, Self.median(each, \.base), Self.median(each, \.candidate),
      change.pairs > 0 ? Format.change(change.ratio) : Format.nothing, interval ?? Format.nothing,
      change.interval.map { Format.level($0) } ?? Format.nothing, Self.word(one), "\(change.pairs)",
      change.detectableChange.map { Format.change(1 + $0) } ?? Format.nothing,
    ]
  }

  /// The conclusion, and of a check what it is for.
  private static func word(_ one: ComparisonVerdict.Case) -> String {
    let role: String? =
      switch one.comparison.role {
      case .gated: nil
      case .sameBuild: "same build twice"
      case .control: "frozen control"
      case .canary: "5 % more work"
      }
    return one.word + (role.map { " (\($0))" } ?? "")
  }

  /// The median CPU time of one run of the work.
  private static func median(
    _ each: CaseComparison, _ arm: (PairedLaunch) -> PairedLaunch.Arm
  ) -> String {
    each.median(arm).map(Format.milliseconds) ?? Format.nothing
  }

  /// What has to be said of single cases.
  private func notes() -> String {
    let cases = (verdict.gated + verdict.checks).flatMap { one -> [String] in
      var lines = one.comparison.changedCounters.filter { !one.allowedRises.contains($0) }
        .map { "\($0)" }
      // That the run is contaminated is said once, below.
      if verdict.contamination.isEmpty, let reason = one.comparison.reason { lines.append(reason) }
      // Each counter that rose has a line already, and so has the reason that a message ends with.
      let isSaid =
        one.conclusion == .counterRose
        || !verdict.contamination.isEmpty && one.outcome.word == "undecided"
      if let message = one.outcome.message, !isSaid {
        let isKnown = lines.contains { message.hasSuffix($0) }
        if !isKnown { lines.append(message) }
      }
      return lines.map { "\(one.comparison.name): \($0)" }
    }
    let contamination = verdict.contamination.map { "the run cannot be trusted: \($0)" }
    let lines = cases + verdict.notes + contamination
    return lines.isEmpty ? "" : "\n" + lines.map { "- \($0)\n" }.joined()
  }

  private func summary() -> String {
    let overall = result.overall.map { overall in
      let interval = overall.interval.map {
        " (\(Format.change($0.lower))…\(Format.change($0.upper)))"
      }
      return "; geometric mean \(Format.change(overall.ratio))\(interval ?? "")"
    }
    return "\(verdict.headline)\n\(verdict.tally)\(overall ?? "")"
      + "; \(Format.significant(result.seconds)) s of measurement, seed \(result.seed)"
  }
}
