/// A subject with the laws that speak of it.
public struct LawSuite: Sendable {
  /// The name of the subject.
  public let subject: String
  /// The laws, about to be held against the subject.
  public let trials: [LawTrial]

  /// Laws to hold against a subject.
  public init<Subject>(_ subject: Subject, laws: [Law<Subject>]) {
    self.subject = subject.name
    trials = laws.map { LawTrial($0, on: subject) }
  }
}
