internal import GRDB

/// The tables, and how a file of an earlier version becomes one of this.
enum HistorySchema {
  /// Marks a file as ours at byte 68 of SQLite's header: "ZBH1".
  static let applicationID = 0x5A42_4831
  /// Kept as SQLite's user_version; goes up with each migration.
  static let version = 1

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1", foreignKeyChecks: .immediate) { db in
      try db.execute(sql: first)
      try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = 1")
    }
    return migrator
  }

  /// STRICT, so that no column can hold what it is not declared to (SQLite 3.37).
  ///
  /// A run's load averages stand beside it, for they differ from run to run on one machine.
  private static let first = """
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
