internal import Foundation
internal import GRDB
internal import Measurement

extension HistoryStore {
  /// Adds a run in one transaction; it is on the disk when this returns.
  ///
  /// - Returns: Whether it was new; false if it exists with the same content.
  /// - Throws: `invalidRun`, `conflict` for another run of the same id, `sameMeasurement` for one
  ///   measurement under two commits, or an error in the file.
  @discardableResult
  package func append(_ run: RunRecord) throws(HistoryError) -> Bool {
    try writing { db in
      try Self.refuseSameMeasurement(as: run, db)
      return try Self.append(run, db)
    }
  }

  /// Refuses a run with the samples of a run of another commit.
  ///
  /// Samples are in nanoseconds, so those of one case identify a measurement. Adding another history skips
  /// this check, because histories of earlier versions may contain such runs.
  private static func refuseSameMeasurement(as run: RunRecord, _ db: Database) throws {
    guard let sampled = run.cases.first(where: { !$0.cpuNanoseconds.allSatisfy(\.isEmpty) })
    else { return }
    let known = try Row.fetchOne(
      db,
      sql: """
        SELECT runs.id, runs.revision FROM runs JOIN cases ON cases.run = runs.id
          JOIN samples ON samples.case_id = cases.id
        WHERE runs.started_at = ? AND runs.tool = ? AND runs.revision <> ?
          AND cases.name = ? AND samples.cpu = ? AND samples.wall = ?
        ORDER BY runs.id
        """,
      arguments: [
        run.startedAt, run.tool, run.revision.commit, sampled.name,
        Data(SampleCodec.encode(sampled.cpuNanoseconds)),
        Data(SampleCodec.encode(sampled.wallNanoseconds)),
      ])
    guard let known else { return }
    throw HistoryError.sameMeasurement(
      id: run.id, known: try known.text("id"), commit: try known.text("revision"))
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

  /// Adds the runs and decisions of another history, of any machine, in one transaction.
  ///
  /// - Returns: The number of new runs, and of those that were known.
  /// - Throws: The error of the first run or decision that is refused; then nothing is added.
  package func add(
    contentsOf other: HistoryStore
  ) throws(HistoryError) -> (added: Int, known: Int) {
    let (runs, baselines, acceptances) = try other.reading { db in
      (try RunRows.fetchAll(db), try Self.baselines(db), try Self.acceptances(db))
    }
    return try writing { db in
      let added = try runs.count { try Self.append($0, db) }
      for baseline in baselines { try Self.insert(baseline, db) }
      // After the runs, which accepted steps refer to.
      for step in acceptances { try Self.insert(step, db) }
      return (added, runs.count - added)
    }
  }

  package func run(id: String) throws(HistoryError) -> RunRecord {
    try reading { db in
      guard let run = try RunRows.fetch(id: id, db) else { throw HistoryError.noSuchRun(id) }
      return run
    }
  }

  /// Returns the one run whose id has this prefix, ignoring case.
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

  /// Returns all runs in order, or those of one machine.
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

  package func machines() throws(HistoryError) -> [String] {
    try reading { db in
      try String.fetchAll(
        db, sql: "SELECT DISTINCT fingerprint FROM machines ORDER BY fingerprint")
    }
  }

  /// Reads and checks the whole file.
  ///
  /// - Returns: The number of runs.
  /// - Throws: `damaged` for the first damage.
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
        // A case without samples is not fetched, so the counts then differ.
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

enum RunRows {
  /// The order by commit time, then by start; the id makes the order total.
  ///
  /// A revision without a commit time counts as committed when it was measured.
  static let order = """
    ORDER BY rtrim(coalesce(runs.committed_at, runs.started_at), 'Z'),
      rtrim(runs.started_at, 'Z'), lower(runs.id)
    """

  /// Adds a valid run whose id is new.
  static func insert(_ run: RunRecord, _ db: Database) throws {
    var machine = run.machine
    let loads = try machine.loadAverages.map { try JSONText.text(of: $0) }
    machine.loadAverages = nil
    let description = try JSONText.text(of: machine)
    try db.execute(
      sql: "INSERT OR IGNORE INTO machines (fingerprint, description) VALUES (?, ?)",
      arguments: [machine.fingerprint, description])
    let machineID = try Int64.fetchOne(
      db, sql: "SELECT id FROM machines WHERE description = ?", arguments: [description])
    try db.execute(
      sql: """
        INSERT INTO runs (id, started_at, tool, revision, branch, committed_at, is_dirty, machine,
          load_averages, baseline, contamination) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        run.id, run.startedAt, run.tool, run.revision.commit, run.revision.branch,
        run.revision.committedAt, run.revision.isDirty, machineID, loads, run.baseline,
        try JSONText.text(of: run.contamination),
      ])
    for (position, item) in run.cases.enumerated() {
      try insert(item, at: position, of: run.id, db)
    }
  }

  private static func insert(
    _ item: RunRecord.Case, at position: Int, of run: String, _ db: Database
  ) throws {
    try db.execute(
      sql: "INSERT INTO cases (run, position, name) VALUES (?, ?, ?)",
      arguments: [run, position, item.name])
    let id = db.lastInsertedRowID
    for (measure, ratio) in item.ratios {
      try db.execute(
        sql: "INSERT INTO ratios (case_id, measure, value, lower, upper) VALUES (?, ?, ?, ?, ?)",
        arguments: [id, measure.name, ratio.value, ratio.lower, ratio.upper])
    }
    for (name, value) in item.counters {
      try db.execute(
        sql: "INSERT INTO counters (case_id, name, value) VALUES (?, ?, ?)",
        arguments: [id, name, value])
    }
    try db.execute(
      sql: "INSERT INTO samples (case_id, cpu, wall) VALUES (?, ?, ?)",
      arguments: [
        id, Data(SampleCodec.encode(item.cpuNanoseconds)),
        Data(SampleCodec.encode(item.wallNanoseconds)),
      ])
  }

  /// Returns a run with all of its data; nil if it does not exist.
  static func fetch(id: String, _ db: Database) throws -> RunRecord? {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT runs.*, machines.description FROM runs JOIN machines ON machines.id = runs.machine
        WHERE runs.id = ?
        """, arguments: [id])
    guard let row else { return nil }
    var machine: MachineDescription = try JSONText.value(of: try row.text("description"))
    machine.loadAverages = try row.textIfAny("load_averages").map { try JSONText.value(of: $0) }
    return RunRecord(
      id: try row.text("id"), startedAt: try row.text("started_at"), tool: try row.text("tool"),
      revision: try revision(row), machine: machine, baseline: try row.textIfAny("baseline"),
      contamination: try JSONText.value(of: try row.text("contamination")),
      cases: try cases(of: id, db))
  }

  /// Returns all runs, in order.
  static func fetchAll(_ db: Database) throws -> [RunRecord] {
    try String.fetchAll(db, sql: "SELECT id FROM runs \(order)").compactMap {
      try fetch(id: $0, db)
    }
  }

  static func revision(_ row: Row) throws -> RunRecord.Revision {
    RunRecord.Revision(
      commit: try row.text("revision"), branch: try row.textIfAny("branch"),
      committedAt: try row.textIfAny("committed_at"),
      isDirty: try row.decode(Bool.self, forColumn: "is_dirty"))
  }

  static func ratio(_ row: Row) throws -> RunRecord.Ratio {
    RunRecord.Ratio(
      value: try row.decode(Double.self, forColumn: "value"),
      lower: try row.decode(Double?.self, forColumn: "lower"),
      upper: try row.decode(Double?.self, forColumn: "upper"))
  }

  private static func cases(of run: String, _ db: Database) throws -> [RunRecord.Case] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT cases.id, cases.name, samples.cpu, samples.wall
        FROM cases JOIN samples ON samples.case_id = cases.id
        WHERE cases.run = ? ORDER BY cases.position
        """, arguments: [run])
    return try rows.map { row in
      let id = try row.decode(Int64.self, forColumn: "id")
      var item = RunRecord.Case(
        name: try row.text("name"), cpuNanoseconds: try samples(row, "cpu"),
        wallNanoseconds: try samples(row, "wall"))
      for row in try Row.fetchAll(
        db, sql: "SELECT * FROM ratios WHERE case_id = ?", arguments: [id])
      {
        let measure = Measure(name: try row.text("measure"))
        if case .counter = measure { throw DamagedRow() }
        item[measure] = try ratio(row)
      }
      for row in try Row.fetchAll(
        db, sql: "SELECT * FROM counters WHERE case_id = ?", arguments: [id])
      {
        item.counters[try row.text("name")] = try row.decode(Int.self, forColumn: "value")
      }
      return item
    }
  }

  private static func samples(_ row: Row, _ column: String) throws -> [[UInt64]] {
    try SampleCodec.decode([UInt8](try row.decode(Data.self, forColumn: column)))
  }
}

/// JSON on one line with sorted keys, so that equal values give equal text.
enum JSONText {
  static func text(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func value<Value: Decodable>(of text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }
}

/// A row has samples that cannot be decoded, or a ratio that this version does not know.
struct DamagedRow: Error {}

extension Row {
  /// Returns a column that must exist; GRDB's subscripts would trap on hostile files.
  func text(_ column: String) throws -> String { try decode(String.self, forColumn: column) }

  func textIfAny(_ column: String) throws -> String? {
    try decode(String?.self, forColumn: column)
  }
}
