internal import Foundation
internal import Measurement

/// A comparison for people: a line a case, then what it amounts to.
struct CompareTable {
  let result: BuildComparison

  func rendered() -> String {
    var text = heading()
    var table = TextTable(
      columns: [
        .left("case"), .right("base"), .right("candidate"), .right("CPU change"),
        .left("interval"), .left("verdict"), .right("pairs"), .right("detects"),
      ])
    for each in result.cases { table.append(row(each)) }
    text += table.rendered() + notes() + "\n" + summary() + "\n"
    return text
  }

  private func heading() -> String {
    let settings = result.settings
    return """
      base       \(Self.describe(result.base))
      candidate  \(Self.describe(result.candidate))
      slower and faster: beyond \(Self.percent(settings.margin)); same: within \
      \(Self.percent(settings.sameMargin)); error \(Self.percent(settings.errorRate)) a case; \
      CPU time decides, wall time is shown


      """
  }

  private static func describe(_ build: BuildComparison.Build) -> String {
    let commit = build.commit.map {
      " (\($0.prefix(12))\(build.isDirty == true ? ", with changes" : ""))"
    }
    return "\(Format.oneLine(build.name))\(commit ?? ""), \(build.tool)"
  }

  private func row(_ each: CaseComparison) -> [String] {
    let interval = each.cpu.interval.map {
      "\(Self.change($0.lower))…\(Self.change($0.upper))"
    }
    return [
      each.name, Self.median(each.launches, \.base), Self.median(each.launches, \.candidate),
      each.cpu.pairs > 0 ? Self.change(each.cpu.ratio) : "-", interval ?? "-", Self.verdict(each),
      "\(each.cpu.pairs)",
      each.cpu.detectableChange.map { Self.change(1 + $0) } ?? "-",
    ]
  }

  /// The verdict, and of a check what it is for.
  private static func verdict(_ each: CaseComparison) -> String {
    switch each.role {
    case .gated: each.verdict.rawValue
    case .sameBuild: "\(each.cpu.verdict.rawValue) (same build twice)"
    case .control: "\(each.cpu.verdict.rawValue) (frozen control)"
    case .canary: "\(each.cpu.verdict.rawValue) (5 % more work)"
    }
  }

  /// The median wall time of one piece of work.
  private static func median(
    _ launches: [PairedLaunch], _ arm: KeyPath<PairedLaunch, PairedLaunch.Arm>
  ) -> String {
    let samples = launches.flatMap { launch in
      launch[keyPath: arm].wallNanoseconds.map { Double($0) / Double(max(1, launch.repeats)) }
    }
    guard let sorted = try? SortedSamples(samples) else { return "-" }
    return Format.milliseconds(sorted.median)
  }

  /// What has to be said of single cases.
  private func notes() -> String {
    var lines: [String] = []
    for each in result.cases {
      if let reason = each.reason { lines.append("\(each.name): \(reason)") }
      if !each.differingRounds.isEmpty {
        lines.append(
          "\(each.name): \(each.differingRounds.count) of \(each.answersCompared) answers have "
            + "other pixels than the base's")
      }
      for change in CounterChange.all(in: each.counters) { lines.append("\(each.name): \(change)") }
    }
    lines += result.onlyInBase.map { "\($0): only the base has it" }
    lines += result.onlyInCandidate.map { "\($0): only the candidate has it" }
    lines += result.contamination.map { "the run cannot be trusted: \($0)" }
    return lines.isEmpty ? "" : "\n" + lines.map { "- \($0)\n" }.joined()
  }

  private func summary() -> String {
    let gated = result.cases.filter { $0.role == .gated }
    let counts = Verdict.allCases.map { verdict in
      "\(gated.count { $0.verdict == verdict }) \(verdict.rawValue)"
    }
    let overall = result.overall.map { overall in
      let interval = overall.interval.map {
        " (\(Self.change($0.lower))…\(Self.change($0.upper)))"
      }
      return "; geometric mean \(Self.change(overall.ratio))\(interval ?? "")"
    }
    return counts.joined(separator: ", ") + (overall ?? "")
      + "; \(Format.significant(result.seconds)) s of measurement, seed \(result.seed)"
  }

  /// "+5.1 %": a ratio as a change.
  static func change(_ ratio: Double) -> String {
    // A hundredth of a per cent is below what any run resolves.
    let percent = (100 * (ratio - 1) * 100).rounded() / 100
    return percent == 0 ? "0.00 %" : String(format: "%+.2f %%", percent)
  }

  private static func percent(_ fraction: Double) -> String {
    "\(Format.number((fraction * 1e6).rounded() / 1e4)) %"
  }
}
