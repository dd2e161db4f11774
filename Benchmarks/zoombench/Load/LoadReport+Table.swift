internal import ZoomLoad

extension LoadReport {
  /// The report as text: a row for each step, then the results and the findings.
  var table: String {
    var text =
      "\(subject): \(pictures.map { Format.oneLine($0) }.joined(separator: ", ")),"
      + " bound \(bound)\n"
    var rows = TextTable(columns: [
      .left("step"), .right("load"), .right("viewers"), .right("views"), .right("full/s"),
      .right("p50"), .right("p95"), .right("p99"), .right("request p95"), .right("first byte p95"),
      .right("lag p99"), .right("no answer"), .right("wrong"), .right("Mpx/CPU s"),
      .right("memory"), .left("bound"),
    ])
    for step in steps { rows.append(cells(step)) }
    text += rows.rendered()
    if let capacity { text += line(capacity) }
    if let lowestWrongRate {
      text += "wrong answers from \(Format.trimmed(lowestWrongRate)) views/s on\n"
    }
    if let fairness { text += lines(fairness) }
    for each in series { text += line(each) }
    text += notes.map { "note: \($0)\n" }.joined()
    text += findings.map { "finding: \(Format.oneLine($0))\n" }.joined()
    return text
  }

  private func cells(_ step: LoadStep) -> [String] {
    func time(_ milliseconds: Double?) -> String {
      milliseconds.map { Format.milliseconds($0 * 1e6) } ?? Format.nothing
    }
    // The generator's figures would be taken for the subject's.
    let isRefused = step.verdict == .late
    func figure(_ milliseconds: Double?) -> String {
      isRefused ? "refused" : time(milliseconds)
    }
    // The figures of zoombench would be taken for those of a server that cannot be read.
    let isServer = step.hasServerProcess
    let processor = (isServer ? step.serverProcessorSeconds : step.processorSeconds) ?? 0
    let memory = isServer ? step.serverResidentBytes : step.peakResidentBytes
    return [
      step.purpose, step.load, "\(step.viewers)", Format.grouped(step.wanted),
      Format.trimmed(step.throughput), figure(step.p50), figure(step.p95), figure(step.p99),
      figure(step.requestP95), figure(step.firstByteP95), time(step.lagP99),
      Self.outcomes(step),
      step.unchecked > 0 ? "\(step.wrong) (\(step.unchecked) unchecked)" : "\(step.wrong)",
      processor > 0 ? Format.trimmed(Double(step.pixels) / 1e6 / processor) : Format.nothing,
      memory.map { Format.bytes(Double($0)) } ?? Format.nothing, step.verdict.rawValue,
    ]
  }

  /// Returns the requests without an answer by their kind: "busy 3, reset 1".
  private static func outcomes(_ step: LoadStep) -> String {
    let kinds = LoadAnswer.Kind.allCases.dropFirst().compactMap { kind in
      step.outcomes[kind.rawValue].map { "\(kind.rawValue) \($0)" }
    }
    let later =
      (step.retryAfter > 0 ? ["Retry-After \(step.retryAfter)"] : [])
      + (step.retries > 0 ? ["sent again \(step.retries)"] : [])
      + (step.unfinished > 0 ? ["views unfinished \(step.unfinished)"] : [])
    return kinds.isEmpty && later.isEmpty ? "0" : (kinds + later).joined(separator: ", ")
  }

  private func line(_ capacity: LoadCapacity) -> String {
    let ends = [capacity.lower, capacity.upper].compactMap { $0.map(Format.trimmed) }
    let interval = ends.isEmpty ? "" : ", 95 % interval \(ends.joined(separator: "…"))"
    let least = capacity.isLimited || capacity.isLate ? "at least " : ""
    let each = capacity.repetitions.map { Format.trimmed($0) }.joined(separator: ", ")
    return "capacity \(least)\(Format.trimmed(capacity.center)) views/s\(interval) (\(each))"
      + (capacity.isLate ? ": the generator was too late" : "") + "\n"
  }

  private func lines(_ fairness: LoadFairness) -> String {
    func row(_ name: String, _ viewer: LoadFairness.Viewer) -> String {
      let times = [viewer.alone, viewer.together].map { time in
        time.map { Format.milliseconds($0 * 1e6) } ?? Format.nothing
      }
      return "\(name): alone \(times[0]), together \(times[1]), slowdown"
        + " \(viewer.slowdown.map(Format.trimmed) ?? Format.nothing)\n"
    }
    let small = fairness.small.sorted { ($0.together ?? .infinity) < ($1.together ?? .infinity) }
    let middle = small.dropFirst(small.count / 2).first
    return row("large picture", fairness.large)
      + (middle.map { row("small pictures, median", $0) } ?? "")
      + (small.last.map { row("small pictures, worst", $0) } ?? "")
  }

  private func line(_ series: ResourceSeries) -> String {
    guard let first = series.readings.first, let last = series.readings.last else { return "" }
    func change(_ name: String, _ value: (ResourceReading) -> Int?) -> String? {
      guard let before = value(first), let after = value(last) else { return nil }
      return "\(name) \(before) to \(after)"
    }
    let memory = [first, last].map { Format.bytes(Double($0.residentBytes)) }
    let rest = [
      change("threads") { $0.threads }, change("descriptors") { $0.descriptors },
      change("temporary files") { $0.temporaryFiles },
    ].compactMap { $0 }
    return
      "\(series.process), \(Format.trimmed(last.seconds)) s: memory \(memory[0]) to \(memory[1]), "
      + rest.joined(separator: ", ") + (series.growths.isEmpty ? "; flat\n" : "\n")
  }

  private var notes: [String] {
    var notes: [String] = []
    if steps.contains(where: { $0.verdict == .late }) {
      notes.append(
        "the generator sent requests too late in the steps marked late (use fewer viewers, or"
          + " another machine)")
    }
    if steps.contains(where: { $0.verdict == .overloaded }) {
      notes.append(
        "the steps marked overloaded were stopped when more than"
          + " \(Format.grouped(LoadEngine.mostWaiting)) requests waited")
    }
    if let step = steps.first(where: { $0.unchecked > 0 }), let reason = step.firstUnchecked {
      notes.append("answers were not compared: \(Format.oneLine(reason))")
    }
    return notes
  }
}
