/// A revision that later ones are measured against, pinned by a person.
package struct Baseline: Sendable, Hashable, Codable {
  package var commit: String
  package var reason: String
  /// ISO 8601, in UTC.
  package var decidedAt: String
  package var decidedBy: String

  /// Describes a decision.
  package init(commit: String, reason: String, decidedAt: String, decidedBy: String) {
    self.commit = commit
    self.reason = reason
    self.decidedAt = decidedAt
    self.decidedBy = decidedBy
  }
}

/// A step that a person has accepted: from its run on, the case's history begins anew.
package struct Acknowledgement: Sendable, Hashable, Codable {
  /// The case's name.
  package var name: String
  /// The first run after the step, by its whole id.
  package var run: String
  package var reason: String
  /// ISO 8601, in UTC.
  package var decidedAt: String
  package var decidedBy: String

  /// Describes a decision.
  package init(name: String, run: String, reason: String, decidedAt: String, decidedBy: String) {
    self.name = name
    self.run = run
    self.reason = reason
    self.decidedAt = decidedAt
    self.decidedBy = decidedBy
  }
}

/// What every decision must have.
enum DecisionRules {
  static func problem(reason: String, decidedAt: String, decidedBy: String) -> String? {
    if reason.allSatisfy(\.isWhitespace) { return "a reason is missing (give one with --reason)" }
    if [reason, decidedBy].contains(where: { $0.utf8.contains(0) }) {
      return "a text has a zero character"
    }
    if !TimeStamp.isValid(decidedAt) { return "\(decidedAt) is not a moment of ISO 8601 in UTC" }
    return nil
  }
}
