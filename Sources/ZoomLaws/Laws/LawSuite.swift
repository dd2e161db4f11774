/// A subject with the laws that speak of it and the faults that can be planted in it.
public struct LawSuite: Sendable {
  /// The name of the subject.
  public let subject: String
  /// The laws, about to be held against the subject.
  public let trials: [LawTrial]
  private let plant: @Sendable () -> [FaultTrial]

  /// A subject and what is known of its kind.
  ///
  /// - Parameters:
  ///   - subject: what is tested.
  ///   - laws: those that speak of it.
  ///   - faults: those that can be planted in it.
  public init<Subject>(
    _ subject: Subject, laws: [Law<Subject>], faults: [SeededFault<Subject>] = []
  ) {
    self.subject = subject.name
    trials = laws.map { LawTrial($0, on: subject) }
    plant = { faults.map { FaultTrial($0, in: subject, laws: laws) } }
  }

  /// The faults, each planted in the subject.
  public var faults: [FaultTrial] { plant() }
}
