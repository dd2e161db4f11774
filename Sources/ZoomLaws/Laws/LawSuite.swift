public import PropertyTesting

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

/// A law about to be held against one subject, whatever kind of subject that is.
public struct LawTrial: Sendable {
  /// The law's name.
  public let law: String
  /// The law in one sentence.
  public let statement: String
  /// Where the law comes from.
  public let source: String
  /// The name of the subject.
  public let subject: String
  /// Whether the system as it was published breaks the law.
  public let isBrokenAsPublished: Bool
  /// What one case costs; see `LawSubject.caseCost`.
  public let caseCost: Int
  private let run: @Sendable (PropertySettings) async -> LawReport

  /// One law and one subject.
  public init<Subject>(_ law: Law<Subject>, on subject: Subject) {
    self.law = law.name
    statement = law.statement
    source = law.source
    self.subject = subject.name
    isBrokenAsPublished = law.isBrokenAsPublished
    caseCost = subject.caseCost
    run = { await law.run(subject, $0) }
  }

  /// Holds the law against the subject.
  public func check(_ settings: PropertySettings = PropertySettings()) async -> LawReport {
    await run(settings)
  }
}
