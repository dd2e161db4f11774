public import PropertyTesting

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
  ///
  /// - Parameter settings: how many cases, from which seed, and the like.
  /// - Returns: what was tried and found.
  public func check(_ settings: PropertySettings = PropertySettings()) async -> LawReport {
    await run(settings)
  }
}
