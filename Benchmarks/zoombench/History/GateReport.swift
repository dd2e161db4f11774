internal import Measurement
internal import MeasurementHistory

/// The verdict on the newest run of a machine, from that machine's history.
struct GateReport: Codable {
  static let currentSchema = "zoombench.gate/1"

  /// A run and its commit.
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

  struct Finding: Codable {
    var measure: String
    var kind: ChangePoint.Kind
    var direction: ChangePoint.Direction
    var ratio: Double
    /// The last run that is certainly before the change; nil if the series begins with the change.
    var lastGood: Place?
    /// The first run that is certainly after the change.
    var firstBad: Place
    /// Changes of the machine's software between the two runs, one clause each.
    var circumstances: [String] = []

    init(_ change: ChangePoint, in points: [Series.Point], of measure: Measure) {
      self.measure = measure.name
      (kind, direction, ratio) = (change.kind, change.direction, change.ratio)
      let (first, last) = (change.plausible.lowerBound, change.plausible.upperBound)
      lastGood = first > 0 ? Place(points[min(first, points.count) - 1]) : nil
      firstBad = Place(points[min(last, points.count - 1)])
    }
  }

  /// A recent count that exceeds the counts of the ten runs before it.
  struct Rise: Codable {
    var counter: String
    var before: Int
    var now: Int
    /// The last run with a smaller count.
    var previous: Place
    /// Whether `--allow-counter` names it.
    var isAllowed: Bool
  }

  struct Case: Codable {
    var name: String
    /// The first measure that was judged; nil for a case without ratios.
    var measure: String?
    /// The number of runs with that measure, the newest included.
    var runs: Int
    var newest: Double?
    var findings: [Finding]
    var rises: [Rise]
    /// The reason given when the newest run's step was accepted.
    var accepted: String?
    /// Undecided with too few runs.
    var verdict: Standing
  }

  /// A case of earlier runs in the same series that the newest run lacks.
  struct Missing: Codable {
    var name: String
    /// The last run that has it.
    var last: Place
  }

  var schema = GateReport.currentSchema
  var machine: String
  /// Nil without a run of the machine.
  var run: RunSummary?
  var cases: [Case] = []
  /// The cases that the newest run lacks: removed, renamed, not requested, or out of time.
  var missing: [Missing] = []
  /// The reason that no case could be judged, without a full stop.
  var refusal: String?

  /// Undecided if any case is, or if the run cannot be trusted.
  var standing: Standing {
    if cases.contains(where: { $0.verdict == .failed }) { return .failed }
    let isComplete = !cases.isEmpty && cases.allSatisfy { $0.verdict == .passed }
    return isComplete ? .passed : .undecided
  }

  /// Throws the failure that sets the exit code.
  func check(strict: Bool) throws {
    switch standing {
    case .failed:
      throw Failure(
        .finding,
        "gate: \(cases.count { $0.verdict == .failed }) of \(cases.count) cases failed (accept a"
          + " wanted step with zoombench history accept)")
    case .passed:
      guard strict, let first = missing.first else { return }
      throw Failure(
        .inconclusive,
        "gate: \(first.name) is missing from the newest run"
          + Format.andMore(missing.count - 1, "case")
          + " (measure it again, or bless a baseline, which begins a new series)")
    case .undecided, .unmeasured:
      guard strict else { return }
      throw Failure(
        .inconclusive, "gate: \(refusal ?? "too little history") (record more runs)")
    }
  }
}

extension GateReport {
  /// Judges the newest run of a machine, given by its whole fingerprint.
  ///
  /// With fewer than `fewestRuns`, a case is undecided; `judge` finds changes in noise.
  ///
  /// - Throws: a `HistoryError`.
  init(
    _ store: HistoryStore, machine: String, allowedCounters: Set<String>,
    fewestRuns: Int = HistoryGate.fewestRuns,
    judge: @escaping ([Double], _ cases: Int) throws -> [ChangePoint] = {
      try HistoryGate.judge($0, among: $1)
    }
  ) throws {
    self.machine = machine
    // Ordered by start, not by commit: a commit may be dated before its parent.
    run = try store.runs(machine: machine).max { $0.startedAt < $1.startedAt }
    guard let summary = run else {
      refusal = "the history lacks runs of this machine and build"
      return
    }
    if let reason = summary.exclusion {
      refusal = "the newest run is \(reason)"
      return
    }
    let run = try store.run(id: summary.id)
    if run.cases.isEmpty { refusal = "the newest run lacks cases" }
    let judging = Judging(
      store: store, run: run, machine: machine, allowedCounters: allowedCounters,
      fewestRuns: fewestRuns, judge: judge, acceptances: try store.acceptances())
    cases = try run.cases.map { try judging.verdict(on: $0) }
    missing = try Self.missing(from: run, store, machine: machine)
  }

  /// Returns the cases that a run lacks but earlier runs of the same tool and baseline have.
  private static func missing(
    from run: RunRecord, _ store: HistoryStore, machine: String
  ) throws -> [Missing] {
    let names = Set(run.cases.map(\.name))
    // A machine may measure several programs, and one program may be measured by both bench and compare.
    let tool = nameOfTool(run.tool)
    return try store.lastRuns(machine: machine, baseline: run.baseline) {
      nameOfTool($0.tool) == tool
    }
    .filter { !names.contains($0.key) }
    .sorted { $0.key < $1.key }
    .map { Missing(name: $0.key, last: Place($0.value)) }
  }

  /// Returns a tool's name without its version, a word that begins with a digit: "zoombench bench".
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
      let measures = item.judgedMeasures
      let measure = measures.first
      let points = try measure.map { try self.points(of: item, $0) } ?? []
      let findings = try measures.flatMap { try self.findings(of: item, $0) }
      let accepted = acceptances.last { $0.name == item.name && $0.run == run.id }?.reason
      let rises = try self.rises(in: item)
      let isWorse =
        measures.contains { measure in
          Self.isSlower(findings.filter { $0.measure == measure.name })
        } || rises.contains { !$0.isAllowed }
      return Case(
        name: item.name, measure: measure?.name, runs: points.count,
        newest: measure.flatMap { item[$0]?.value }, findings: findings, rises: rises,
        accepted: accepted,
        verdict: isWorse
          ? .failed : points.count < fewestRuns ? .undecided : .passed)
    }

    /// The number of tests that share the false-alarm rate: one per measure and case.
    private var tests: Int { run.cases.reduce(0) { $0 + $1.judgedMeasures.count } }

    private func findings(of item: RunRecord.Case, _ measure: Measure) throws -> [Finding] {
      let points = try points(of: item, measure)
      if points.count < fewestRuns { return [] }
      return try judge(points.map(\.value), max(1, tests)).map {
        var finding = Finding($0, in: points, of: measure)
        if let before = finding.lastGood {
          finding.circumstances = try store.run(id: before.run).machine.changes(
            to: try store.run(id: finding.firstBad.run).machine)
        }
        return finding
      }
    }

    /// Returns the newest run's segment, from the last accepted step on.
    private func points(of item: RunRecord.Case, _ measure: Measure) throws -> [Series.Point] {
      let series = try store.series(case: item.name, measure: measure, machine: machine)
      let points = series.segments.last?.points ?? []
      let accepted = Set(acceptances.filter { $0.name == item.name }.map(\.run))
      // Runs dated after the judged one are ignored.
      let end = points.firstIndex { $0.run == run.id }.map { $0 + 1 } ?? points.count
      let start = points[..<end].lastIndex { accepted.contains($0.run) } ?? 0
      return Array(points[start..<end])
    }

    /// Returns the counts that rose above their level within the last ten runs.
    ///
    /// A rise is reported for as many runs as a slower level, until the count falls again. The count must
    /// exceed all of the ten runs up to the last one with a smaller count, so that a single low run or a
    /// varying count is not reported.
    private func rises(in item: RunRecord.Case) throws -> [Rise] {
      try item.counters.sorted { $0.key < $1.key }.compactMap { name, now in
        let earlier = try points(of: item, .counter(name)).filter { $0.run != run.id }
        let news = earlier.count - HistoryGate.newsRuns
        guard let last = earlier.lastIndex(where: { $0.value < Double(now) }), last >= news,
          let before = earlier[...last].suffix(HistoryGate.newsRuns).map(\.value).max(),
          before < Double(now)
        else { return nil }
        return Rise(
          counter: name, before: Int(before), now: now, previous: Place(earlier[last]),
          isAllowed: allowedCounters.contains(name))
      }
    }

    /// Whether a slow-down remains after all later changes.
    ///
    /// Of an undone slow-down, up to half of the least reported step may remain.
    private static func isSlower(_ findings: [Finding]) -> Bool {
      findings.indices.contains { index in
        findings[index].direction == .slower
          && findings[index...].reduce(1) { $0 * $1.ratio } > 1.0125
      }
    }
  }
}
