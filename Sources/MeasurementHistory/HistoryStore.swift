internal import Foundation
internal import GRDB

/// The runs of the past, in one SQLite file.
///
/// Each run is written in one transaction that takes the write lock at its beginning, so that two
/// writers wait for each other instead of failing half way, and a process that is killed at any
/// moment leaves the runs that were there and nothing else. The file keeps SQLite's rollback
/// journal and not a write-ahead log: runs come minutes apart, so that readers who wait a
/// millisecond cost nothing, and without a `-wal` file beside it one file is the whole history,
/// to be copied, kept in a cache of a build server, or on a network folder.
package final class HistoryStore: Sendable {
  /// How long, in seconds, one process waits for another's transaction, which takes milliseconds.
  package static let patience = 30.0

  /// The file.
  package let path: String
  private let queue: DatabaseQueue
  /// The folders that were made for the file, the innermost first; nil for a file that was there.
  private let madeFolders: [URL]?

  /// Opens a history.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - createsFile: whether a file that is not there is made, and its folder too.
  /// - Throws: what is wrong with the file; one that is not a history is left as it is.
  package init(path: String, createsFile: Bool) throws(HistoryError) {
    self.path = path
    madeFolders = try Self.prepareFile(path, creates: createsFile)
    do {
      queue = try DatabaseQueue(path: path, configuration: Self.configuration)
    } catch {
      throw HistoryError(error, path: path)
    }
    try prepareSchema()
  }

  /// Reads what belongs together: no writer comes between.
  func reading<Result>(_ body: (Database) throws -> Result) throws(HistoryError) -> Result {
    do {
      return try queue.read(body)
    } catch {
      throw HistoryError(error, path: path)
    }
  }

  /// Writes all or nothing.
  func writing<Result>(_ body: (Database) throws -> Result) throws(HistoryError) -> Result {
    do {
      return try queue.writeWithoutTransaction { db in
        var result: Result?
        try db.inTransaction(.immediate) {
          result = try body(db)
          return .commit
        }
        guard let result else { throw HistoryError.failed(path: path, reason: "no result") }
        return result
      }
    } catch {
      throw HistoryError(error, path: path)
    }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience)
    configuration.label = "history"
    configuration.prepareDatabase { db in
      // EXTRA also syncs the folder after the journal is gone, so that a run that was reported as
      // kept survives a loss of power. A file may be hostile: its schema must not call functions,
      // and cells are checked when pages are read.
      try db.execute(
        sql: """
          PRAGMA synchronous = EXTRA; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON
          """)
    }
    return configuration
  }

  /// Removes a file that this store made, with its folders, unless something was kept in it.
  ///
  /// For whoever made it to keep something that then could not be kept. The write lock is held
  /// meanwhile: a process that waits for it finds the file gone and says so, and loses nothing.
  ///
  /// - Throws: what is wrong with the file.
  package func discardIfEmpty() throws(HistoryError) {
    guard let madeFolders else { return }
    try writing { db in
      let kept = try Int.fetchOne(
        db, sql: "SELECT (SELECT count(*) FROM runs) + (SELECT count(*) FROM baselines)")
      guard kept == 0 else { return }
      try FileManager.default.removeItem(at: Self.file(path))
      // Those that others put something into meanwhile stay.
      for folder in madeFolders {
        guard rmdir(folder.path) == 0 else { break }
      }
    }
  }

  private static func file(_ path: String) -> URL {
    URL(fileURLWithPath: path).resolvingSymlinksInPath()
  }

  /// Refuses what is no file, and makes the folders of one that is not there.
  ///
  /// - Returns: The folders that were made, the innermost first; nil for a file that is there.
  private static func prepareFile(
    _ path: String, creates: Bool
  ) throws(HistoryError) -> [URL]? {
    let url = file(path)
    let kind = try? FileManager.default.attributesOfItem(atPath: url.path)[.type]
    if let kind = kind as? FileAttributeType {
      // A pipe would be waited for without end.
      guard kind == .typeRegular else {
        throw .foreign(path: path, reason: "it is not a regular file")
      }
      return nil
    }
    guard creates else { throw .noDatabase(path: path) }
    var missing: [URL] = []
    var folder = url.deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.path), folder.path.count > 1 {
      missing.append(folder)
      folder.deleteLastPathComponent()
    }
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw .cannotOpen(path: path, reason: "its folder cannot be made")
    }
    return missing
  }

  /// Refuses what is not ours, and brings what is to this version.
  private func prepareSchema() throws(HistoryError) {
    if try isCurrent() { return }
    do {
      try HistorySchema.migrator.migrate(queue)
    } catch {
      // Another process may have been quicker between the look and the migration.
      let failure = HistoryError(error, path: path)
      guard (try? isCurrent()) == true else { throw failure }
    }
  }

  private func isCurrent() throws(HistoryError) -> Bool {
    let (application, version, tables) = try reading { db in
      (
        try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
        try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0,
        // The migrator makes its own table in a transaction of its own, before all others.
        try Int.fetchOne(
          db,
          sql: """
            SELECT count(*) FROM sqlite_schema
            WHERE tbl_name <> 'grdb_migrations'
            """) ?? 0
      )
    }
    let isNew = application == 0 && version == 0 && tables == 0
    guard application == HistorySchema.applicationID || isNew else {
      throw .foreign(path: path, reason: "the database is another program's")
    }
    guard version <= HistorySchema.version else {
      throw .newer(path: path, found: version, known: HistorySchema.version)
    }
    return version == HistorySchema.version
  }
}

extension HistoryError {
  /// What SQLite or GRDB reported, in our words.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as HistoryError: self = error
    case let error as DatabaseError: self.init(error, path: path)
    case is RowDecodingError, is DecodingError, is UnknownMeasure:
      self = .damaged(path: path, reason: "a row is not what was written")
    case let error as SampleCodecError:
      self = .damaged(path: path, reason: "samples: \(error)")
    default: self = .failed(path: path, reason: "\(error)")
    }
  }

  private init(_ error: DatabaseError, path: String) {
    let reason = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    // SQLITE_ERROR: our statements are sound, so a table or column is missing.
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
