internal import GRDB

/// The reason that a history cannot be read, or refuses a run.
package enum HistoryError: Error, Sendable, Hashable {
  case noDatabase(path: String)
  /// The file is a database of another program, or not a regular file.
  case foreign(path: String, reason: String)
  /// The file was written by a later version of this program.
  case newer(path: String, found: Int, known: Int)
  /// The file, or a row of it, was changed or damaged.
  case damaged(path: String, reason: String)
  case readOnly(path: String)
  /// The file or its folder cannot be opened or created.
  case cannotOpen(path: String, reason: String)
  /// Another process has locked the file for longer than `HistoryStore.patience`.
  case busy(path: String)
  /// The disk is full or failing.
  case unwritable(path: String, reason: String)
  /// A run breaks a rule of `RunRecord.problem`.
  case invalidRun(id: String, reason: String)
  /// A run with this id and other content exists.
  case conflict(id: String)
  /// A run of another commit has the same samples.
  case sameMeasurement(id: String, known: String, commit: String)
  /// The id prefix matches no run.
  case noSuchRun(String)
  /// The id prefix matches several runs.
  case ambiguousRun(String, matches: [String])
  case noSuchCase(String, run: String)
  /// A decision has an invalid field, or is earlier than the last one.
  case invalidDecision(reason: String)
  /// SQLite refused something that should work.
  case failed(path: String, reason: String)
}

extension HistoryError: CustomStringConvertible {
  /// One line for people: the error, its reason, and in parentheses the remedy.
  package var description: String {
    switch self {
    case .noDatabase(let path):
      "\(path): no such history (record a run first, or name another with --history)"
    case .foreign(let path, let reason):
      "\(path): this is not a history of zoombench: \(reason) (name another file)"
    case .newer(let path, let found, let known):
      """
      \(path): its format is \(found), and this zoombench knows up to \(known) (use a later \
      zoombench)
      """
    case .damaged(let path, let reason):
      """
      \(path): the history is damaged: \(reason) (restore a copy, or try: \
      sqlite3 FILE .recover | sqlite3 NEW)
      """
    case .readOnly(let path):
      "\(path): the history may only be read (change its permissions, or name another)"
    case .cannotOpen(let path, let reason):
      "\(path): the history cannot be opened: \(reason) (check the folder and its permissions)"
    case .busy(let path):
      "\(path): another process keeps the history locked (try again when it has ended)"
    case .unwritable(let path, let reason):
      "\(path): the history cannot be written: \(reason) (check the disk)"
    case .invalidRun(let id, let reason):
      "run \(id): \(reason)"
    case .conflict(let id):
      "run \(id): the history has another run of this id (each run needs a unique id)"
    case .sameMeasurement(let id, let known, let commit):
      """
      run \(id): run \(known) of commit \(commit) has the same samples (one measurement is one run \
      of one commit: name the result of this one)
      """
    case .noSuchRun(let text):
      "the history lacks run \(text) (see zoombench history list)"
    case .ambiguousRun(let text, let matches):
      "\(text) is the beginning of several runs: \(matches.joined(separator: ", "))"
    case .noSuchCase(let name, let run):
      "run \(run) lacks case \(name) (see zoombench history list \(run))"
    case .invalidDecision(let reason):
      reason
    case .failed(let path, let reason):
      "\(path): \(reason)"
    }
  }
}

extension HistoryError {
  /// Converts an error of SQLite or GRDB.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as HistoryError: self = error
    case let error as DatabaseError: self.init(error, path: path)
    case is RowDecodingError, is DecodingError, is DamagedRow:
      self = .damaged(path: path, reason: "a row is not what was written")
    default: self = .failed(path: path, reason: "\(error)")
    }
  }

  private init(_ error: DatabaseError, path: String) {
    let reason = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    // SQLITE_ERROR: our statements are correct, so a table or column is missing.
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_ERROR, .SQLITE_SCHEMA,
      .SQLITE_MISMATCH:
      self = .damaged(path: path, reason: reason)
    case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_DBMOVED:
      self = .cannotOpen(path: path, reason: "it was moved or removed meanwhile")
    case .SQLITE_READONLY: self = .readOnly(path: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
    case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
      self = .cannotOpen(path: path, reason: reason)
    case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_TOOBIG:
      self = .unwritable(path: path, reason: reason)
    default: self = .failed(path: path, reason: reason)
    }
  }
}
