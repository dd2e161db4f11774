internal import GRDB
internal import Measurement

/// One measure of one case over the runs of one machine.
package struct Series: Sendable, Hashable, Codable {
  package struct Point: Sendable, Hashable, Codable {
    package var run: String
    package var revision: RunRecord.Revision
    /// ISO 8601, in UTC.
    package var startedAt: String
    package var value: Double
    package var lower: Double?
    package var upper: Double?
  }

  /// Comparable values, in the order of runs.
  package struct Segment: Sendable, Hashable, Codable {
    /// The commit that all values are ratios to; nil for other measures.
    package var baseline: String?
    package var points: [Point]
  }

  /// A run whose value is not used.
  package struct Exclusion: Sendable, Hashable, Codable {
    package var run: String
    /// The reason, without a full stop.
    package var reason: String
  }

  package var name: String
  package var measure: String
  package var machine: String
  /// One segment per baseline; the newest run's is last.
  package var segments: [Segment] = []
  package var excluded: [Exclusion] = []
}

/// A quantity of a case over runs.
package enum Measure: Sendable, Hashable {
  case cpuToBaseline
  case wallToBaseline
  case cpuToControl
  case wallToControl
  case counter(String)

  package static let ratios: [Measure] = [
    .cpuToBaseline, .wallToBaseline, .cpuToControl, .wallToControl,
  ]

  /// The measures of a case's speed, the steadiest first.
  ///
  /// Only a program whose CPU time is unknown has wall time alone.
  package static let judged: [Measure] = [.cpuToBaseline, .cpuToControl, .wallToControl]

  /// Parses the name of a ratio; other names are counters.
  package init(name: String) {
    self = Self.ratios.first { $0.name == name } ?? .counter(name)
  }

  package var name: String {
    switch self {
    case .cpuToBaseline: "cpuToBaseline"
    case .wallToBaseline: "wallToBaseline"
    case .cpuToControl: "cpuToControl"
    case .wallToControl: "wallToControl"
    case .counter(let name): name
    }
  }

  /// The member of a case that holds the ratio; nil for a counter.
  fileprivate var member: WritableKeyPath<RunRecord.Case, RunRecord.Ratio?>? {
    switch self {
    case .cpuToBaseline: \RunRecord.Case.cpuToBaseline
    case .wallToBaseline: \RunRecord.Case.wallToBaseline
    case .cpuToControl: \RunRecord.Case.cpuToControl
    case .wallToControl: \RunRecord.Case.wallToControl
    case .counter: nil
    }
  }

  /// Whether its values are meaningless without the baseline that they were measured against.
  package var refersToBaseline: Bool { self == .cpuToBaseline || self == .wallToBaseline }
}

extension RunRecord.Case {
  /// The available ratios, in the order of `Measure.ratios`.
  var ratios: [(measure: Measure, ratio: RunRecord.Ratio)] {
    Measure.ratios.compactMap { measure in self[measure].map { (measure, $0) } }
  }

  /// The measures to judge: the steadiest that the case has, and wall time of another program.
  ///
  /// CPU time does not show that a program waits longer, or no longer works in parallel. Cases with
  /// counters are assumed to be our own sources, which do neither. The measures do not depend on the times
  /// of a run, so the same tests share the false-alarm rate in each run.
  package var judgedMeasures: [Measure] {
    guard let first = Measure.judged.first(where: { self[$0] != nil }) else { return [] }
    let wall = first == .cpuToBaseline ? Measure.wallToBaseline : .wallToControl
    guard first != wall, self[wall] != nil, counters.isEmpty else { return [first] }
    return [first, wall]
  }

  /// The ratio of a measure; counters have none.
  package subscript(measure: Measure) -> RunRecord.Ratio? {
    get { measure.member.flatMap { self[keyPath: $0] } }
    set { if let member = measure.member { self[keyPath: member] = newValue } }
  }
}

extension HistoryStore {
  /// Returns a measure of a case over the runs of a machine, given by its full fingerprint.
  ///
  /// Contaminated or dirty runs are excluded and listed. Values that refer to different baselines are never
  /// in one segment.
  package func series(
    case name: String, measure: Measure, machine: String
  ) throws(HistoryError) -> Series {
    let values =
      if case .counter = measure {
        "SELECT case_id, name AS measure, value, NULL AS lower, NULL AS upper FROM counters"
      } else {
        "SELECT case_id, measure, value, lower, upper FROM ratios"
      }
    return try reading { db in
      var series = Series(name: name, measure: measure.name, machine: machine)
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT runs.*, machines.fingerprint, 1 AS case_count, found.value, found.lower,
            found.upper
          FROM runs JOIN machines ON machines.id = runs.machine
            JOIN cases ON cases.run = runs.id
            JOIN (\(values)) AS found ON found.case_id = cases.id
          WHERE machines.fingerprint = ? AND cases.name = ? AND found.measure = ?
          \(RunRows.order)
          """, arguments: [machine, name, measure.name])
      for row in rows { try Self.add(row, to: &series, measure) }
      return series
    }
  }

  private static func add(_ row: Row, to series: inout Series, _ measure: Measure) throws {
    let run = try summary(row)
    if let reason = run.exclusion {
      series.excluded.append(Series.Exclusion(run: run.id, reason: reason))
      return
    }
    let ratio = try RunRows.ratio(row)
    let point = Series.Point(
      run: run.id, revision: run.revision, startedAt: run.startedAt, value: ratio.value,
      lower: ratio.lower, upper: ratio.upper)
    let baseline = measure.refersToBaseline ? run.baseline : nil
    // A late run of an old baseline joins that segment, which then becomes the last.
    if let index = series.segments.firstIndex(where: { $0.baseline == baseline }) {
      var segment = series.segments.remove(at: index)
      segment.points.append(point)
      series.segments.append(segment)
    } else {
      series.segments.append(Series.Segment(baseline: baseline, points: [point]))
    }
  }

  /// Returns the cases that runs of a machine measured against one baseline, each with its newest run.
  ///
  /// Contaminated or dirty runs are excluded, as from series. The machine is given by its full fingerprint; a
  /// nil baseline selects runs without one.
  package func lastRuns(
    machine: String, baseline: String?, where isWanted: (RunSummary) -> Bool
  ) throws(HistoryError) -> [String: RunSummary] {
    let found = try reading { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT runs.*, machines.fingerprint, 1 AS case_count, cases.name AS case_name
          FROM runs JOIN machines ON machines.id = runs.machine
            JOIN cases ON cases.run = runs.id
          WHERE machines.fingerprint = ? AND runs.baseline IS ?
          \(RunRows.order)
          """, arguments: [machine, baseline]
      ).map { row in (name: try row.text("case_name"), run: try Self.summary(row)) }
    }
    let wanted = found.filter { $0.run.exclusion == nil && isWanted($0.run) }
    return Dictionary(wanted.map { ($0.name, $0.run) }) { _, later in later }
  }

  /// Returns the names of all cases that a machine has measured, in order.
  package func caseNames(machine: String) throws(HistoryError) -> [String] {
    try reading { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT cases.name FROM cases JOIN runs ON runs.id = cases.run
            JOIN machines ON machines.id = runs.machine
          WHERE machines.fingerprint = ? ORDER BY cases.name
          """, arguments: [machine])
    }
  }
}
