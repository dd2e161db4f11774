internal import MeasurementHistory

extension GateReport {
  /// Judges the newest run of a machine.
  ///
  /// - Parameters:
  ///   - store: the history.
  ///   - machine: a whole fingerprint.
  ///   - judge: what tells a change from noise.
  ///   - allowedCounters: counters that may rise.
  /// - Throws: a `HistoryError`.
  init(
    _ store: HistoryStore, machine: String, judge: HistoryJudge, allowedCounters: Set<String>
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
      store: store, run: run, machine: machine, judge: judge, allowedCounters: allowedCounters,
      acknowledgements: try store.acknowledgements())
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
    let judge: HistoryJudge
    let allowedCounters: Set<String>
    let acknowledgements: [Acknowledgement]

    func verdict(on item: RunRecord.Case) throws -> Case {
      let measure = [Measure.cpuToBaseline, .cpuToControl].first { item[$0] != nil }
      let points = try measure.map { try self.points(of: item, $0) } ?? []
      let findings =
        points.count < judge.leastHistory
        ? [] : try judge.judge(points.map(\.value)).map { Self.finding($0, in: points) }
      let accepted = acknowledgements.last { $0.name == item.name && $0.run == run.id }?.reason
      let rises = accepted == nil ? try self.rises(in: item) : []
      let isWorse =
        Self.isSlower(findings) || rises.contains { !$0.isAllowed }
      return Case(
        name: item.name, measure: measure?.name, runs: points.count,
        newest: measure.flatMap { item[$0]?.value }, findings: findings, rises: rises,
        accepted: accepted,
        verdict: isWorse
          ? .failed : points.count < judge.leastHistory ? .inconclusive : .passed)
    }

    /// The newest run's segment, from the last accepted step on.
    private func points(of item: RunRecord.Case, _ measure: Measure) throws -> [Series.Point] {
      let series = try store.series(case: item.name, measure: measure, machine: machine)
      let points = series.segments.last?.points ?? []
      let accepted = Set(acknowledgements.filter { $0.name == item.name }.map(\.run))
      // What is dated after the run that is judged says nothing of it.
      let end = points.firstIndex { $0.run == run.id }.map { $0 + 1 } ?? points.count
      let start = points[..<end].lastIndex { accepted.contains($0.run) } ?? 0
      return Array(points[start..<end])
    }

    /// The counts that are greater than in the last run before that has them.
    private func rises(in item: RunRecord.Case) throws -> [Rise] {
      try item.counters.sorted { $0.key < $1.key }.compactMap { name, now in
        let series = try store.series(case: item.name, measure: .counter(name), machine: machine)
        guard let previous = series.segments.last?.points.last(where: { $0.run != run.id }),
          Double(now) > previous.value
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

    private static func finding(
      _ found: HistoryJudge.Finding, in points: [Series.Point]
    ) -> Finding {
      let (first, last) = (found.plausible.lowerBound, found.plausible.upperBound)
      return Finding(
        kind: found.kind, direction: found.direction, ratio: found.ratio,
        lastGood: first > 0 ? Place(points[min(first, points.count) - 1]) : nil,
        firstBad: Place(points[min(last, points.count - 1)]))
    }
  }
}
