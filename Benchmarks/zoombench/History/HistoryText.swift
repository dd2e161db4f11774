internal import Foundation
internal import MeasurementHistory

extension ResultFormat {
  /// Writes a result to stdout.
  func write(_ value: some Encodable, table: @autoclosure () -> String) throws {
    try Output.write(self == .json ? Output.json(value) : table(), to: nil)
  }
}

enum HistoryText {
  /// Returns "1.0512", or with an interval "1.0512 [1.0401, 1.0624]".
  static func ratio(_ value: Double, _ lower: Double? = nil, _ upper: Double? = nil) -> String {
    // Four digits, because histories show changes of a per cent and less.
    func digits(_ value: Double) -> String { String(format: "%.4f", value) }
    guard let lower, let upper else { return digits(value) }
    return "\(digits(value)) [\(digits(lower)), \(digits(upper))]"
  }

  static func list(_ runs: [RunSummary], baseline: Baseline?) -> String {
    var table = TextTable(columns: [
      .left("run"), .left("started"), .left("revision"), .left("branch"), .left("machine"),
      .right("cases"), .left("left out of series"),
    ])
    for run in runs {
      table.append([
        Shortened.id(run.id), run.startedAt, Shortened.revision(run.revision),
        Format.oneLine(run.revision.branch ?? ""), Shortened.id(run.machine),
        String(run.caseCount), Format.oneLine(run.exclusion ?? ""),
      ])
    }
    return table.rendered() + "\n" + pinned(baseline) + "\n"
  }

  static func pinned(_ baseline: Baseline?) -> String {
    baseline.map { baseline in
      """
      baseline \(Shortened.commit(baseline.commit)), pinned \(baseline.decidedAt) by \
      \(Format.oneLine(baseline.decidedBy)): \(Format.oneLine(baseline.reason))
      """
    } ?? "no baseline is pinned (see zoombench history bless)"
  }

  static func show(_ run: RunRecord) -> String {
    var text = "run       \(run.id)\nstarted   \(run.startedAt) by \(Format.oneLine(run.tool))\n"
    text += "revision  \(Format.oneLine(run.revision.commit))"
    if let branch = run.revision.branch { text += " on \(Format.oneLine(branch))" }
    if let moment = run.revision.committedAt { text += ", committed \(moment)" }
    text += run.revision.isDirty ? ", dirty\n" : "\n"
    text += "machine   \(run.machine.fingerprint)\n"
    if let baseline = run.baseline { text += "baseline  \(Format.oneLine(baseline))\n" }
    for reason in run.contamination { text += "contaminated: \(Format.oneLine(reason))\n" }
    var table = TextTable(columns: [
      .left("case"), .left("measure"), .left("value"), .right("samples"),
    ])
    for item in run.cases {
      let samples = String(item.cpuNanoseconds.reduce(0) { $0 + $1.count })
      for measure in Measure.ratios {
        guard let found = item[measure] else { continue }
        table.append([
          Format.oneLine(item.name), measure.name, ratio(found.value, found.lower, found.upper),
          samples,
        ])
      }
      for (name, count) in item.counters.sorted(by: { $0.key < $1.key }) {
        table.append([
          Format.oneLine(item.name), Format.oneLine(name), Format.grouped(count), "",
        ])
      }
    }
    return text + "\n" + table.rendered()
  }
}
