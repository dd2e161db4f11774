internal import Measurement
internal import MeasurementHistory

/// What the newest run of a machine says against that machine's own history.
struct GateReport: Codable {
  static let currentSchema = "zoombench.gate/1"

  enum Verdict: String, Codable {
    case passed, failed
    /// Too few runs to tell, or a run that cannot be trusted.
    case inconclusive
  }

  /// A run, as far as a reader needs it to find the commit.
  struct Place: Codable, Hashable {
    var run: String
    var commit: String

    init(_ point: Series.Point) {
      run = point.run
      commit = point.revision.commit
    }

    init(_ summary: RunSummary) {
      run = summary.id
      commit = summary.revision.commit
    }
  }

  /// Something the series of a case says.
  struct Finding: Codable {
    var kind: ChangePoint.Kind
    var direction: ChangePoint.Direction
    /// The new level over the old.
    var ratio: Double
    /// The last run that is sure to be before the change; nil where the series begins with it.
    var lastGood: Place?
    /// The first run that is sure to be after it.
    var firstBad: Place

    init(_ change: ChangePoint, in points: [Series.Point]) {
      (kind, direction, ratio) = (change.kind, change.direction, change.ratio)
      let (first, last) = (change.plausible.lowerBound, change.plausible.upperBound)
      lastGood = first > 0 ? Place(points[min(first, points.count) - 1]) : nil
      firstBad = Place(points[min(last, points.count - 1)])
    }
  }

  /// A count that is greater than it was.
  struct Rise: Codable {
    var counter: String
    var before: Int
    var now: Int
    /// The run that it was less in.
    var previous: Place
    /// Whether `--allow-counter` names it.
    var isAllowed: Bool
  }

  struct Case: Codable {
    var name: String
    /// What was judged; nil for a case without ratios of CPU time.
    var measure: String?
    /// How many runs were judged, the newest included.
    var runs: Int
    /// The newest run's value.
    var newest: Double?
    var findings: [Finding]
    var rises: [Rise]
    /// Why the newest run's step counts for nothing, if it was accepted.
    var accepted: String?
    var verdict: Verdict
  }

  /// A case that earlier runs of the same series have, and that the newest has not.
  struct Missing: Codable {
    var name: String
    /// The last run that has it.
    var last: Place
  }

  var schema = GateReport.currentSchema
  /// The machine's fingerprint.
  var machine: String
  /// Nil where the machine has no run.
  var run: RunSummary?
  var cases: [Case] = []
  /// What the newest run should have measured, and did not: removed, renamed, or not asked for.
  var missing: [Missing] = []
  /// Why no case could be judged, without a full stop.
  var refusal: String?

  var verdict: Verdict {
    if cases.contains(where: { $0.verdict == .failed }) { return .failed }
    let isComplete = !cases.isEmpty && cases.allSatisfy { $0.verdict == .passed }
    return isComplete ? .passed : .inconclusive
  }
}

extension GateReport {
  /// Judges the newest run of a machine.
  ///
  /// - Parameters:
  ///   - store: the history.
  ///   - machine: a whole fingerprint.
  ///   - allowedCounters: counters that may rise.
  ///   - fewestRuns: below so many runs nothing is said.
  ///   - judge: what tells a change from noise.
  /// - Throws: a `HistoryError`.
  init(
    _ store: HistoryStore, machine: String, allowedCounters: Set<String>,
    fewestRuns: Int = HistoryGate.fewestRuns,
    judge: @escaping ([Double], _ cases: Int) throws -> [ChangePoint] = {
      try HistoryGate.judge($0, among: $1)
    }
  ) throws {
    self.machine = machine
    // Not the last in the order of commits: a commit may be dated before its parent.
    run = try store.runs(machine: machine).max { $0.startedAt < $1.startedAt }
    guard let summary = run else {
      refusal = "this machine and build has no run"
      return
    }
    if let reason = summary.exclusion {
      refusal = "the newest run is \(reason)"
      return
    }
    let run = try store.run(id: summary.id)
    if run.cases.isEmpty { refusal = "the newest run has no cases" }
    let judging = Judging(
      store: store, run: run, machine: machine, allowedCounters: allowedCounters,
      fewestRuns: fewestRuns, judge: judge, acceptances: try store.acceptances())
    cases = try run.cases.map { try judging.verdict(on: $0) }
    missing = try Self.missing(from: run, store, machine: machine)
  }

  /// The cases of earlier runs by the same tool against the same baseline that a run lacks.
  private static func missing(
    from run: RunRecord, _ store: HistoryStore, machine: String
  ) throws -> [Missing] {
    let names = Set(run.cases.map(\.name))
    // A machine may measure several programs, and one program may be measured by bench and compare.
    let tool = nameOfTool(run.tool)
    return try store.lastRuns(machine: machine, baseline: run.baseline) {
      nameOfTool($0.tool) == tool
    }
    .filter { !names.contains($0.key) }
    .sorted { $0.key < $1.key }
    .map { Missing(name: $0.key, last: Place($0.value)) }
  }

  /// A tool without its version, which is a word that begins with a digit: "zoombench bench".
  private static func nameOfTool(_ tool: String) -> String {
    tool.split(separator: " ").filter { $0.first?.isNumber != true }.joined(separator: " ")
  }

  private struct Judging {
    let store: HistoryStore
    let run: RunRecord
    let machine: String
    let allowedCounters: Set<String>
    let fewestRuns: Int
    let judge: ([Double], _ cases: Int) throws -> [ChangePoint]
    let acceptances: [Acceptance]

    func verdict(on item: RunRecord.Case) throws -> Case {
      let measure = [Measure.cpuToBaseline, .cpuToControl].first { item[$0] != nil }
      let points = try measure.map { try self.points(of: item, $0) } ?? []
      let findings =
        points.count < fewestRuns
        ? [] : try judge(points.map(\.value), run.cases.count).map { Finding($0, in: points) }
      let accepted = acceptances.last { $0.name == item.name && $0.run == run.id }?.reason
      let rises = accepted == nil ? try self.rises(in: item) : []
      let isWorse =
        Self.isSlower(findings) || rises.contains { !$0.isAllowed }
      return Case(
        name: item.name, measure: measure?.name, runs: points.count,
        newest: measure.flatMap { item[$0]?.value }, findings: findings, rises: rises,
        accepted: accepted,
        verdict: isWorse
          ? .failed : points.count < fewestRuns ? .inconclusive : .passed)
    }

    /// The newest run's segment, from the last accepted step on.
    private func points(of item: RunRecord.Case, _ measure: Measure) throws -> [Series.Point] {
      let series = try store.series(case: item.name, measure: measure, machine: machine)
      let points = series.segments.last?.points ?? []
      let accepted = Set(acceptances.filter { $0.name == item.name }.map(\.run))
      // What is dated after the run that is judged says nothing of it.
      let end = points.firstIndex { $0.run == run.id }.map { $0 + 1 } ?? points.count
      let start = points[..<end].lastIndex { accepted.contains($0.run) } ?? 0
      return Array(points[start..<end])
    }

    /// The counts that are greater than in the last run before this one that has them.
    private func rises(in item: RunRecord.Case) throws -> [Rise] {
      try item.counters.sorted { $0.key < $1.key }.compactMap { name, now in
        let series = try store.series(case: item.name, measure: .counter(name), machine: machine)
        // What is dated after the run that is judged says nothing of it.
        let points = series.segments.last?.points ?? []
        let end = points.firstIndex { $0.run == run.id } ?? points.count
        guard let previous = points[..<end].last, Double(now) > previous.value
        else { return nil }
        return Rise(
          counter: name, before: Int(previous.value), now: now, previous: Place(previous),
          isAllowed: allowedCounters.contains(name))
      }
    }

    /// Whether some step towards slower is not made up for by what came after it.
    ///
    /// Half of the least step that is reported may be left of one that was mended.
    private static func isSlower(_ findings: [Finding]) -> Bool {
      findings.indices.contains { index in
        findings[index].direction == .slower
          && findings[index...].reduce(1) { $0 * $1.ratio } > 1.0125
      }
    }
  }
}

extension GateReport {
  /// A row for each case, and a line for each thing that was found.
  func rendered() -> String {
    guard let run else { return "machine \(Shortened.id(machine)): \(refusal ?? "no run")\n" }
    var text = """
      run \(Shortened.id(run.id)) of \(Shortened.revision(run.revision)), \(run.startedAt), \
      machine \(Shortened.id(machine))


      """
    if let refusal { return text + "inconclusive: \(Format.oneLine(refusal))\n" }
    var table = TextTable(columns: [
      .left("case"), .left("measure"), .right("runs"), .right("newest"), .left("verdict"),
    ])
    for item in cases {
      table.append([
        Format.oneLine(item.name), item.measure ?? Format.nothing, String(item.runs),
        item.newest.map { HistoryText.ratio($0) } ?? Format.nothing, item.verdict.rawValue,
      ])
    }
    for item in missing {
      table.append([
        Format.oneLine(item.name), Format.nothing, Format.nothing, Format.nothing, "missing",
      ])
    }
    text += table.rendered()
    let lines = cases.flatMap(Self.lines) + missing.map(Self.line)
    if !lines.isEmpty { text += "\n" + lines.joined(separator: "\n") + "\n" }
    return text + "\n" + summary + "\n"
  }

  private static func lines(_ item: Case) -> [String] {
    let name = Format.oneLine(item.name)
    let findings = item.findings.map { finding in
      """
      \(name): \(word(finding.kind)), \(Format.change(finding.ratio)) \
      (\(finding.direction.rawValue)), commits \(range(finding))
      """
    }
    let rises = item.rises.map { rise in
      """
      \(name): \(Format.oneLine(rise.counter)) rose from \(Format.grouped(rise.before)) to \
      \(Format.grouped(rise.now)) since \(Shortened.commit(rise.previous.commit)) \
      (run \(Shortened.id(rise.previous.run)))\(rise.isAllowed ? ", which is allowed" : "")
      """
    }
    let accepted = item.accepted.map { "\(name): accepted, \(Format.oneLine($0))" }
    return findings + rises + [accepted].compactMap { $0 }
  }

  private static func line(_ item: Missing) -> String {
    """
    \(Format.oneLine(item.name)): missing, last measured at \(Shortened.commit(item.last.commit)) \
    (run \(Shortened.id(item.last.run)))
    """
  }

  private static func word(_ kind: ChangePoint.Kind) -> String {
    switch kind {
    case .step: "a step"
    case .drift: "a drift"
    }
  }

  /// The commits after the first and up to the second, and their runs.
  private static func range(_ finding: Finding) -> String {
    let (before, after) = (finding.lastGood, finding.firstBad)
    return """
      \(before.map { Shortened.commit($0.commit) } ?? "")..\(Shortened.commit(after.commit)) \
      (runs \(before.map { Shortened.id($0.run) } ?? "")..\(Shortened.id(after.run)))
      """
  }

  private var summary: String {
    func count(_ verdict: Verdict) -> Int { cases.count { $0.verdict == verdict } }
    return
      "\(count(.passed)) passed, \(count(.failed)) failed, \(count(.inconclusive)) inconclusive"
      + (missing.isEmpty ? "" : ", \(missing.count) missing")
  }
}
