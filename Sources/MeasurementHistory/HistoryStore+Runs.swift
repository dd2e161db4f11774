internal import Foundation
internal import GRDB

extension HistoryStore {
  /// Adds a run, in one transaction; it is on the disk when this returns.
  ///
  /// - Parameter run: what to keep.
  /// - Returns: Whether it was new; false if it was there already with the same content.
  /// - Throws: `invalidRun`, `conflict` for another run of the same id, `sameMeasurement` for one
  ///   measurement under two commits, or what is wrong with the file.
  @discardableResult
  package func append(_ run: RunRecord) throws(HistoryError) -> Bool {
    try writing { db in
      if let known = try Self.sameMeasurement(as: run, db) {
        throw HistoryError.sameMeasurement(
          id: run.id, known: known.id, commit: known.revision.commit)
      }
      return try Self.append(run, db)
    }
  }

  /// The run of another commit that has the very samples of this one; nil for a run without any.
  ///
  /// Imports do not ask: a history of an earlier version may hold such runs, and shall merge.
  private static func sameMeasurement(as run: RunRecord, _ db: Database) throws -> RunRecord? {
    guard
      let position = run.cases.firstIndex(where: { !$0.cpuNanoseconds.allSatisfy(\.isEmpty) })
    else { return nil }
    let item = run.cases[position]
    // One case singles the run out, and the whole is compared afterwards.
    let ids = try String.fetchAll(
      db,
      sql: """
        SELECT runs.id FROM runs JOIN cases ON cases.run = runs.id
          JOIN samples ON samples.case_id = cases.id
        WHERE runs.started_at = ? AND runs.tool = ? AND runs.revision <> ?
          AND cases.position = ? AND cases.name = ? AND samples.cpu = ?
        ORDER BY runs.id
        """,
      arguments: [
        run.startedAt, run.tool, run.revision.commit, position, item.name,
        Data(SampleCodec.encode(item.cpuNanoseconds)),
      ])
    for id in ids {
      guard var known = try RunRows.fetch(id: id, db) else { continue }
      let found = known
      // What a person says of a measurement, and not the measurement.
      (known.id, known.revision, known.baseline) = (run.id, run.revision, run.baseline)
      for index in known.cases.indices where run.cases.indices.contains(index) {
        known.cases[index].cpuToBaseline = run.cases[index].cpuToBaseline
        known.cases[index].wallToBaseline = run.cases[index].wallToBaseline
      }
      if known == run { return found }
    }
    return nil
  }

  static func append(_ run: RunRecord, _ db: Database) throws -> Bool {
    if let problem = run.problem { throw HistoryError.invalidRun(id: run.id, reason: problem) }
    if let known = try RunRows.fetch(id: run.id, db) {
      guard known == run else { throw HistoryError.conflict(id: run.id) }
      return false
    }
    try RunRows.insert(run, db)
    return true
  }

  /// A run by its whole id.
  package func run(id: String) throws(HistoryError) -> RunRecord {
    try reading { db in
      guard let run = try RunRows.fetch(id: id, db) else { throw HistoryError.noSuchRun(id) }
      return run
    }
  }

  /// The one run whose id begins so; lower and upper case are the same.
  package func run(idPrefix: String) throws(HistoryError) -> RunRecord {
    let matches = try reading { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT id FROM runs
          WHERE substr(id, 1, length(?)) = ? COLLATE NOCASE ORDER BY lower(id)
          """, arguments: [idPrefix, idPrefix])
    }
    guard !idPrefix.isEmpty, let first = matches.first else { throw .noSuchRun(idPrefix) }
    guard matches.count == 1 else { throw .ambiguousRun(idPrefix, matches: matches) }
    return try run(id: first)
  }

  /// All runs in order, or those of one machine.
  package func runs(machine: String? = nil) throws(HistoryError) -> [RunSummary] {
    try reading { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT runs.*, machines.fingerprint,
            (SELECT count(*) FROM cases WHERE cases.run = runs.id) AS case_count
          FROM runs JOIN machines ON machines.id = runs.machine
          WHERE ? IS NULL OR machines.fingerprint = ?
          \(RunRows.order)
          """, arguments: [machine, machine]
      ).map { row in try Self.summary(row) }
    }
  }

  static func summary(_ row: Row) throws -> RunSummary {
    RunSummary(
      id: try row.text("id"), startedAt: try row.text("started_at"), tool: try row.text("tool"),
      revision: try RunRows.revision(row), machine: try row.text("fingerprint"),
      baseline: try row.textIfAny("baseline"),
      contamination: try JSONText.value(of: try row.text("contamination")),
      caseCount: try row.decode(Int.self, forColumn: "case_count"))
  }

  /// The fingerprints of all machines, in order.
  package func machines() throws(HistoryError) -> [String] {
    try reading { db in
      try String.fetchAll(
        db, sql: "SELECT DISTINCT fingerprint FROM machines ORDER BY fingerprint")
    }
  }

  /// Reads everything there is.
  ///
  /// - Returns: How many runs there are.
  /// - Throws: `damaged` for the first thing that is not as it was written.
  package func check() throws(HistoryError) -> Int {
    try reading { db in
      let findings = try String.fetchAll(db, sql: "PRAGMA integrity_check")
      guard findings == ["ok"] else {
        throw HistoryError.damaged(path: path, reason: findings.first ?? "no answer")
      }
      guard try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil else {
        throw HistoryError.damaged(path: path, reason: "a row belongs to nothing")
      }
      let ids = try String.fetchAll(db, sql: "SELECT id FROM runs")
      for id in ids {
        let run = try RunRows.fetch(id: id, db)
        // Samples that are missing take their case with them; positions then have a gap.
        let cases = try Int.fetchOne(
          db, sql: "SELECT count(*) FROM cases WHERE run = ?", arguments: [id])
        guard let run, run.cases.count == cases, run.problem == nil else {
          throw HistoryError.damaged(path: path, reason: "run \(id) is not whole")
        }
      }
      return ids.count
    }
  }
}
