internal import GRDB

/// A revision that later ones are compared with, pinned by a person.
package struct Baseline: Sendable, Hashable, Codable {
  package var commit: String
  package var reason: String
  /// ISO 8601, in UTC.
  package var decidedAt: String
  package var decidedBy: String

  package init(commit: String, reason: String, decidedAt: String, decidedBy: String) {
    (self.commit, self.reason, self.decidedAt) = (commit, reason, decidedAt)
    self.decidedBy = decidedBy
  }
}

/// An accepted step: from its run on, the case's history starts again.
package struct Acceptance: Sendable, Hashable, Codable {
  package var name: String
  /// The first run after the step, by its full id.
  package var run: String
  package var reason: String
  /// ISO 8601, in UTC.
  package var decidedAt: String
  package var decidedBy: String

  package init(name: String, run: String, reason: String, decidedAt: String, decidedBy: String) {
    (self.name, self.run, self.reason, self.decidedAt) = (name, run, reason, decidedAt)
    self.decidedBy = decidedBy
  }
}

extension HistoryStore {
  /// Returns the pinned baseline; nil if there never was one.
  package func baseline() throws(HistoryError) -> Baseline? { try baselines().last }

  package func baselines() throws(HistoryError) -> [Baseline] {
    try reading { db in try Self.baselines(db) }
  }

  /// Pins a baseline that was decided later than the current one, and returns that one, if any.
  ///
  /// - Throws: `invalidDecision`.
  @discardableResult
  package func bless(_ baseline: Baseline) throws(HistoryError) -> Baseline? {
    try writing { db in
      let former = try Self.baselines(db).last
      if let former, TimeStamp.sortKey(former.decidedAt) >= TimeStamp.sortKey(baseline.decidedAt) {
        throw HistoryError.invalidDecision(
          reason: """
            the last baseline was pinned at \(former.decidedAt), after \(baseline.decidedAt) \
            (check the clock)
            """)
      }
      try Self.insert(baseline, db)
      return former
    }
  }

  /// Accepts a step in a case.
  ///
  /// - Throws: `invalidDecision`, `noSuchRun`, or `noSuchCase`.
  package func accept(_ step: Acceptance) throws(HistoryError) {
    try writing { db in try Self.insert(step, db) }
  }

  /// Returns the accepted steps, the earliest decision first.
  package func acceptances() throws(HistoryError) -> [Acceptance] {
    try reading { db in try Self.acceptances(db) }
  }

  static func baselines(_ db: Database) throws -> [Baseline] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT * FROM baselines ORDER BY rtrim(decided_at, 'Z'), revision, reason, decided_by
        """
    ).map { row in
      Baseline(
        commit: try row.text("revision"), reason: try row.text("reason"),
        decidedAt: try row.text("decided_at"), decidedBy: try row.text("decided_by"))
    }
  }

  /// Adds a baseline unless it exists.
  static func insert(_ baseline: Baseline, _ db: Database) throws {
    if !RunRecord.isCommit(baseline.commit) {
      throw HistoryError.invalidDecision(reason: "the baseline's commit is not a word")
    }
    try check(baseline.reason, baseline.decidedAt, baseline.decidedBy)
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO baselines (revision, reason, decided_at, decided_by)
        VALUES (?, ?, ?, ?)
        """,
      arguments: [baseline.commit, baseline.reason, baseline.decidedAt, baseline.decidedBy])
  }

  static func acceptances(_ db: Database) throws -> [Acceptance] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT * FROM acknowledgements
        ORDER BY rtrim(decided_at, 'Z'), case_name, lower(run), reason, decided_by
        """
    ).map { row in
      Acceptance(
        name: try row.text("case_name"), run: try row.text("run"), reason: try row.text("reason"),
        decidedAt: try row.text("decided_at"), decidedBy: try row.text("decided_by"))
    }
  }

  /// Adds an accepted step unless it exists.
  static func insert(_ step: Acceptance, _ db: Database) throws {
    try check(step.reason, step.decidedAt, step.decidedBy)
    guard
      try Row.fetchOne(db, sql: "SELECT 1 FROM runs WHERE id = ?", arguments: [step.run]) != nil
    else { throw HistoryError.noSuchRun(step.run) }
    guard
      try Row.fetchOne(
        db, sql: "SELECT 1 FROM cases WHERE run = ? AND name = ?", arguments: [step.run, step.name])
        != nil
    else { throw HistoryError.noSuchCase(step.name, run: step.run) }
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO acknowledgements (case_name, run, reason, decided_at, decided_by)
        VALUES (?, ?, ?, ?, ?)
        """, arguments: [step.name, step.run, step.reason, step.decidedAt, step.decidedBy])
  }

  /// Refuses an empty reason, a text with a zero byte, and an invalid time.
  private static func check(_ reason: String, _ decidedAt: String, _ decidedBy: String) throws {
    let problem: String? =
      if reason.allSatisfy(\.isWhitespace) {
        "a reason is missing (give one with --reason)"
      } else if (reason + decidedBy).utf8.contains(0) {
        "a text has a zero character"
      } else if !TimeStamp.isValid(decidedAt) {
        "\(decidedAt) is not a moment of ISO 8601 in UTC"
      } else {
        nil
      }
    if let problem { throw HistoryError.invalidDecision(reason: problem) }
  }
}
