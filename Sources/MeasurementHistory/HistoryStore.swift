internal import Foundation
internal import GRDB
internal import Measurement

/// The past runs, in one SQLite file.
///
/// Each run is written in one transaction that takes the write lock at its beginning, so that two writers
/// wait for each other instead of failing half way, and a process that is killed at any moment leaves all
/// earlier runs intact. The file uses SQLite's rollback journal instead of a write-ahead log: runs come
/// minutes apart, so waiting readers cost nothing. Without a `-wal` file, one file is the whole history,
/// which can be copied, cached by a build server, or kept on a network folder.
package final class HistoryStore: Sendable {
  /// The time, in seconds, to wait for another process's transaction, which takes milliseconds.
  package static let patience = 30.0

  package let path: String
  private let queue: DatabaseQueue
  /// Whether the file was missing.
  private let isNew: Bool

  /// Opens a history, or creates the missing file and its folder on request.
  ///
  /// - Throws: the error in the file; a file that is not a history is not changed.
  package init(path: String, createsFile: Bool) throws(HistoryError) {
    self.path = path
    isNew = try Self.prepareFile(path, creates: createsFile)
    do {
      queue = try DatabaseQueue(path: path, configuration: Self.configuration)
    } catch {
      throw HistoryError(error, path: path)
    }
    try prepareSchema()
  }

  /// Reads consistently: no writer can intervene.
  func reading<Result>(_ body: (Database) throws -> Result) throws(HistoryError) -> Result {
    do {
      return try queue.read(body)
    } catch {
      throw HistoryError(error, path: path)
    }
  }

  /// Writes in one transaction, which takes the write lock at its beginning.
  func writing<Result>(_ body: (Database) throws -> Result) throws(HistoryError) -> Result {
    do {
      return try queue.write(body)
    } catch {
      throw HistoryError(error, path: path)
    }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience)
    configuration.label = "history"
    configuration.prepareDatabase { db in
      // EXTRA also syncs the folder after the journal is deleted, so that a run reported as stored survives
      // a loss of power. A file may be hostile: its schema must not call functions, and cells are checked
      // when pages are read.
      try db.execute(
        sql: """
          PRAGMA synchronous = EXTRA; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON
          """)
    }
    return configuration
  }

  /// Removes a file that this store created, unless it has content.
  ///
  /// It is for a caller whose run could not be stored. The write lock is held during the removal: a process
  /// that waits for it finds the file missing and reports that, without losing data.
  ///
  /// - Throws: the error in the file.
  package func discardIfEmpty() throws(HistoryError) {
    guard isNew else { return }
    try writing { db in
      let kept = try Int.fetchOne(
        db, sql: "SELECT (SELECT count(*) FROM runs) + (SELECT count(*) FROM baselines)")
      if kept == 0 { try FileManager.default.removeItem(at: Self.file(path)) }
    }
  }

  private static func file(_ path: String) -> URL {
    URL(fileURLWithPath: path).resolvingSymlinksInPath()
  }

  /// Refuses special files, and creates the folder of a missing file.
  ///
  /// - Returns: Whether the file is missing.
  private static func prepareFile(
    _ path: String, creates: Bool
  ) throws(HistoryError) -> Bool {
    let url = file(path)
    let kind = try? FileManager.default.attributesOfItem(atPath: url.path)[.type]
    if let kind = kind as? FileAttributeType {
      // Opening a pipe would wait forever.
      guard kind == .typeRegular else {
        throw .foreign(path: path, reason: "it is not a regular file")
      }
      return false
    }
    guard creates else { throw .noDatabase(path: path) }
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw .cannotOpen(path: path, reason: "its folder cannot be made")
    }
    return true
  }

  /// Refuses foreign files, and creates or migrates the tables of ours in one transaction.
  private func prepareSchema() throws(HistoryError) {
    guard try reading(version(of:)) < HistorySchema.version else { return }
    try writing { db in try HistorySchema.migrate(db, from: try version(of: db)) }
  }

  /// Returns the file's schema version, which is 0 for an empty file.
  private func version(of db: Database) throws -> Int {
    let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    // Earlier versions created this table in a separate first transaction.
    let tables =
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'") ?? 0
    let isEmpty = application == 0 && version == 0 && tables == 0
    guard application == HistorySchema.applicationID || isEmpty else {
      throw HistoryError.foreign(path: path, reason: "the database is another program's")
    }
    guard version <= HistorySchema.version else {
      throw HistoryError.newer(path: path, found: version, known: HistorySchema.version)
    }
    return version
  }
}

/// The tables, and the migrations from earlier versions.
enum HistorySchema {
  /// Marks a file as ours at byte 68 of SQLite's header: "ZBH1".
  static let applicationID = 0x5A42_4831
  /// The schema version in SQLite's user_version; it rises with each migration.
  static let version = 2

  /// Changes a file of an earlier version, or an empty one of version 0.
  static func migrate(_ db: Database, from found: Int) throws {
    if found == 0 {
      try db.execute(sql: tables)
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    }
    // Fingerprints of version 1 included the kernel and the compiler.
    let texts =
      try found == 1 ? String.fetchAll(db, sql: "SELECT description FROM machines") : []
    for text in texts {
      let machine: MachineDescription = try JSONText.value(of: text)
      try db.execute(
        sql: "UPDATE machines SET fingerprint = ? WHERE description = ?",
        arguments: [machine.fingerprint, text])
    }
    try db.execute(sql: "PRAGMA user_version = \(version)")
  }

  /// The tables; STRICT (SQLite 3.37), so that columns contain only their declared types.
  ///
  /// Load averages are stored per run, because they differ between runs on one machine.
  private static let tables = """
    CREATE TABLE machines (
      id INTEGER PRIMARY KEY,
      fingerprint TEXT NOT NULL,
      description TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE runs (
      id TEXT NOT NULL PRIMARY KEY COLLATE NOCASE,
      started_at TEXT NOT NULL,
      tool TEXT NOT NULL,
      revision TEXT NOT NULL,
      branch TEXT,
      committed_at TEXT,
      is_dirty INTEGER NOT NULL CHECK (is_dirty IN (0, 1)),
      machine INTEGER NOT NULL REFERENCES machines (id),
      load_averages TEXT,
      baseline TEXT,
      contamination TEXT NOT NULL
    ) STRICT;
    CREATE TABLE cases (
      id INTEGER PRIMARY KEY,
      run TEXT NOT NULL COLLATE NOCASE REFERENCES runs (id),
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      UNIQUE (run, position),
      UNIQUE (run, name)
    ) STRICT;
    CREATE INDEX cases_by_name ON cases (name);
    CREATE TABLE ratios (
      case_id INTEGER NOT NULL REFERENCES cases (id),
      measure TEXT NOT NULL,
      value REAL NOT NULL,
      lower REAL,
      upper REAL,
      PRIMARY KEY (case_id, measure)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE counters (
      case_id INTEGER NOT NULL REFERENCES cases (id),
      name TEXT NOT NULL,
      value INTEGER NOT NULL,
      PRIMARY KEY (case_id, name)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE samples (
      case_id INTEGER NOT NULL PRIMARY KEY REFERENCES cases (id),
      cpu BLOB NOT NULL,
      wall BLOB NOT NULL
    ) STRICT;
    CREATE TABLE baselines (
      revision TEXT NOT NULL,
      reason TEXT NOT NULL,
      decided_at TEXT NOT NULL,
      decided_by TEXT NOT NULL,
      PRIMARY KEY (decided_at, revision, reason, decided_by)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE acknowledgements (
      case_name TEXT NOT NULL,
      run TEXT NOT NULL COLLATE NOCASE REFERENCES runs (id),
      reason TEXT NOT NULL,
      decided_at TEXT NOT NULL,
      decided_by TEXT NOT NULL,
      PRIMARY KEY (case_name, run, decided_at, reason, decided_by)
    ) STRICT, WITHOUT ROWID;
    """
}
