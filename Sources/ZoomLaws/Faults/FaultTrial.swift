/// A planted fault, and the laws that are to find it.
public struct FaultTrial: Sendable {
  /// The fault's name.
  public let fault: String
  /// What goes wrong, in one sentence.
  public let summary: String
  /// The real bug it follows, as `owner/project#number`, or nil for one of our own making.
  public let origin: String?
  /// Why no input shows it; nil where some do.
  public let equivalence: String?
  /// The laws, about to be held against the faulty subject.
  public let trials: [LawTrial]

  /// A fault planted in a subject.
  ///
  /// - Parameters:
  ///   - fault: what goes wrong.
  ///   - subject: a sound one.
  ///   - laws: those that speak of it.
  public init<Subject>(
    _ fault: SeededFault<Subject>, in subject: Subject, laws: [Law<Subject>]
  ) {
    self.fault = fault.name
    summary = fault.summary
    origin = fault.origin
    equivalence = fault.equivalence
    let faulty = fault.plant(subject)
    trials = laws.map { LawTrial($0, on: faulty) }
  }
}
