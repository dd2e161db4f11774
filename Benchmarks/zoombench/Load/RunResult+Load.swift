internal import Measurement
internal import MeasurementHistory
internal import ZoomLoad

extension RunResult {
  var loadBlocks: [Block] {
    let names = pictures.map(\.name).joined(separator: ", ")
    var blocks: [Block] = [.lines(benchHeading)]
    for load in rows.compactMap(\.load) {
      let title = "\(load.subject): \(names), bound \(load.bound), \(load.workload)"
      blocks += [.table(title: title, load.table), .lines(load.lines)]
    }
    return blocks + [.lines(partial.map { ["This run was \($0)."] } ?? [])]
  }

  /// The counts of the stated rates at which all views became full, which repeat exactly; nil for other results.
  ///
  /// Their names include all that sets a step's views: its number sets their seed, the bound its length. So a
  /// difference between counts of the same name comes from the code. A step that was interrupted has fewer views.
  var loadCases: [RunRecord.Case]? {
    guard kind == .load else { return nil }
    return rows.flatMap { row -> [RunRecord.Case] in
      guard let load = row.load, partial == nil else { return [] }
      let workload = "\(load.workload), \(load.bound)"
      return load.steps.enumerated().filter { _, step in
        step.purpose == LoadOptions.ratePurpose && step.verdict == .holds
          && step.full == step.counts.wanted
      }.map { number, step in
        let names = pictures.map(\.name) + [row.name, "step \(number + 1), \(step.load)"]
        let counters = [
          "requests, \(workload)": step.counts.answers,
          "bytes read, \(workload)": step.counts.bytes,
          "pixels delivered, \(workload)": step.counts.pixels,
        ]
        return RunRecord.Case(name: names.joined(separator: "/"), counters: counters)
      }
    }
  }
}

extension Row {
  init(_ load: LoadReport) {
    var load = load
    load.judge()
    load.lines = load.summary
    let verdict =
      if let first = load.findings.first {
        Verdict(.broken, reason: first + Format.andMore(load.findings.count - 1, "finding"))
      } else if load.steps.allSatisfy({ [.undecided, .late].contains($0.verdict) }) {
        Verdict(.undecided, reason: "the generator was too late, or views were too few")
      } else { Verdict(.held) }
    self.init(name: load.subject, contender: load.subject, verdict: verdict, load: load)
  }
}

extension LoadReport {
  fileprivate var table: TextTable {
    let numbers = [
      "load", "viewers", "views", "full/s", "p50", "p95", "p99", "request p95", "first byte p95",
      "lag p99", "no answer", "wrong", "Mpx/CPU s", "memory",
    ]
    var table = TextTable(
      columns: [.left("step")] + numbers.map(TextTable.Heading.right) + [.left("bound")])
    for step in steps { table.append(cells(step)) }
    return table
  }

  private func cells(_ step: LoadStep) -> [String] {
    let times = [
      step.views.p50, step.views.p95, step.views.p99, step.requests.p95, step.firstBytes.p95,
    ].map {
      // The generator's figures would be taken for the subject's.
      step.verdict == .late ? "refused" : Self.time($0)
    }
    let usage = step.server ?? step.own
    let seconds = usage.processorSeconds ?? 0
    let (wrong, unchecked) = (step.checks.wrong, step.checks.unchecked)
    let shortfalls = step.counts.shortfalls
    return [
      step.purpose, step.load, "\(step.viewers)", Format.grouped(step.counts.wanted),
      Format.trimmed(Double(step.full) / step.seconds),
    ] + times + [
      Self.time(step.lag.p99), shortfalls.isEmpty ? "0" : shortfalls.joined(separator: ", "),
      unchecked > 0 ? "\(wrong) (\(unchecked) unchecked)" : "\(wrong)",
      seconds > 0 ? Format.trimmed(Double(step.counts.pixels) / 1e6 / seconds) : Format.nothing,
      usage.residentBytes.map { Format.bytes(Double($0)) } ?? Format.nothing,
      step.verdict.rawValue,
    ]
  }

  private static func time(_ milliseconds: Double?) -> String {
    milliseconds.map { Format.milliseconds($0 * 1e6) } ?? Format.nothing
  }

  fileprivate var summary: [String] {
    var lines = [capacityLine].compactMap(\.self) + soak.compactMap(Self.line) + slowdowns
    if steps.contains(where: { $0.verdict == .late }) {
      lines.append(
        "note: the generator was too late in some steps (use fewer viewers or another machine)")
    }
    if let reason = steps.lazy.compactMap(\.checks.firstUnchecked).first {
      lines.append("note: answers were not compared: \(reason)")
    }
    return lines + findings.map { "finding: \($0)" }
  }

  private var capacityLine: String? {
    guard let capacity else {
      return steps.last { $0.purpose.hasPrefix(LoadRun.search) }.map {
        "capacity unknown: the "
          + ($0.verdict == .late ? "generator was late" : "search was interrupted")
      }
    }
    let interval = capacity.interval.map {
      ", 95 % interval \(Format.trimmed($0.lower))…\(Format.trimmed($0.upper))"
    }
    let each = capacity.repetitions.map { Format.trimmed($0) }.joined(separator: ", ")
    return
      "capacity \(capacity.isLeast ? "at least " : "")\(Format.trimmed(capacity.center)) views/s"
      + "\(interval ?? "") (\(each))"
  }

  /// The comparison of viewers with each being alone, which the first two steps show.
  private var slowdowns: [String] {
    let alone = steps.map(\.views.p50)
    let others = (together ?? []).dropFirst().sorted { ($0 ?? .infinity) < ($1 ?? .infinity) }
    guard let large = together?.first, let worst = others.last, alone.count > 1 else { return [] }
    return [
      ("largest picture", alone[0], large),
      ("other viewers, median", alone[1], others[others.count / 2]),
      ("other viewers, worst", alone[1], worst),
    ].map { name, alone, together in
      let slowdown = alone.flatMap { alone in together.map { Format.trimmed($0 / alone) } }
      return "\(name): alone \(Self.time(alone)), together \(Self.time(together)), slowdown"
        + " \(slowdown ?? Format.nothing)"
    }
  }

  private static func line(_ series: ResourceSeries) -> String? {
    guard let first = series.readings.first, let last = series.readings.last else { return nil }
    let changes = ResourceReading.names.compactMap { name -> String? in
      let ends = [first, last].compactMap { $0.amounts[name] }.map {
        name == ResourceReading.memory ? Format.bytes(Double($0)) : "\($0)"
      }
      return ends.count == 2 ? "\(name) \(ends[0]) to \(ends[1])" : nil
    }
    return "\(series.process), \(Format.trimmed(last.seconds)) s: "
      + changes.joined(separator: ", ")
      + (series.isFlat ? "; flat" : series.growths.isEmpty ? "; too few readings to judge" : "")
  }
}
