internal import Foundation
internal import Measurement

/// A comparison as text: one line per case, then the conclusion.
struct CompareTable {
  private let result: BuildComparison
  private let verdict: ComparisonVerdict

  init(_ result: BuildComparison) {
    self.result = result
    verdict = result.verdict
  }

  func rendered() -> String {
    let cases = verdict.gated + verdict.checks
    // Wall time has a column only if it differs from the deciding clock.
    let hasWall = cases.contains { $0.comparison.isWallApart }
    var table = TextTable(
      columns: [
        .left("case"), .left("clock"), .right("base"), .right("candidate"), .right("change"),
        .left("interval"), .right("level"), .left("verdict"), .right("pairs"), .right("detects"),
      ] + (hasWall ? [.right("wall time")] : []))
    for one in cases { table.append(row(one) + (hasWall ? [Self.wall(one.comparison)] : [])) }
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
      base, candidate: the median time of one run of the work on the clock that decides, of the launches \
      that the change is estimated from; wall time decides where a program waits, CPU time elsewhere; the \
      change of a case that was measured again is that of the second measurement
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
      each.name, each.clock.word, Self.median(each, \.base, each.clock),
      Self.median(each, \.candidate, each.clock),
      change.pairs > 0 ? Format.change(change.ratio) : Format.nothing, interval ?? Format.nothing,
      change.interval.map { Format.level($0) } ?? Format.nothing, Self.word(one), "\(change.pairs)",
      change.detectableChange.map { Format.change(1 + $0) } ?? Format.nothing,
    ]
  }

  /// Returns the conclusion, with the purpose if the case is a check.
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

  private static func median(
    _ each: CaseComparison, _ arm: (PairedLaunch) -> PairedLaunch.Arm, _ clock: PairedLaunch.Clock
  ) -> String {
    each.median(arm, clock).map(Format.milliseconds) ?? Format.nothing
  }

  /// Returns the median wall times of both builds where CPU time decides and wall time differs.
  private static func wall(_ each: CaseComparison) -> String {
    guard each.isWallApart else { return "" }
    return "\(median(each, \.base, .wall)), \(median(each, \.candidate, .wall))"
  }

  private func notes() -> String {
    let cases = (verdict.gated + verdict.checks).flatMap { one -> [String] in
      var lines = one.comparison.changedCounters.filter { !one.allowedRises.contains($0) }
        .map { "\($0)" }
      // Contamination is reported once, below.
      if verdict.contamination.isEmpty, let reason = one.comparison.reason { lines.append(reason) }
      // Counters that rose, and reasons that end a message, already have lines.
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
