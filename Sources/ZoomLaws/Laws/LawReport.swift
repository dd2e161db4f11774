public import PropertyTesting

/// The result of trying a law on a subject.
public struct LawReport: Sendable {
  /// The verdict on a law.
  public enum LawVerdict: Sendable, Equatable {
    /// The law held for every input.
    case held
    /// An input broke the law.
    case broken
    /// The run did not reach a verdict, for this reason.
    case undecided(String)
  }

  /// The law's name.
  public let law: String
  /// The law in one sentence.
  public let statement: String
  /// The name of the subject.
  public let subject: String
  /// The number of inputs tried.
  public let cases: Int
  /// The number of inputs discarded because they do not test the law.
  public let discards: Int
  /// Whether the run tried all possible inputs.
  public let isExhaustive: Bool
  /// The classes that inputs belonged to.
  public let classes: [ClassReport]
  /// The breaches, one for each line of source that detected one.
  public let breaches: [Breach]
  /// The verdict.
  public let verdict: LawVerdict
  /// Whether it is undecided because nearly all inputs were discarded.
  package let isShortOfInputs: Bool
  /// The seed that repeats the run.
  public let seed: UInt64
  /// The duration of the run.
  public let elapsed: Duration

  init<Input>(law: String, statement: String, subject: String, _ report: PropertyReport<Input>) {
    (self.law, self.statement, self.subject) = (law, statement, subject)
    (cases, discards, isExhaustive) = (report.cases, report.discards, report.wasExhaustive)
    classes = report.classes
    breaches = report.failures.map(Breach.init)
    let discarded = report.healthFindings.first { $0.check == .tooMuchDiscarded }
    isShortOfInputs = report.verdict == .gaveUp(.unhealthy) && discarded != nil
    verdict =
      switch report.verdict {
      case .passed: .held
      case .failed: .broken
      case .gaveUp(.unhealthy):
        .undecided(
          discarded.map { "\($0.message): few test the law" } ?? report.healthFindings[0].message)
      case .gaveUp(let reason): .undecided("\(reason)")
      }
    (seed, elapsed) = (report.seed, report.elapsed)
  }

  /// A breach of a law: the smallest input found that breaks it.
  public struct Breach: Sendable {
    /// The input in words and numbers, or the script that a law has made of it.
    public let input: String
    /// The reason why the input breaks the law.
    public let complaint: String
    /// The token that replays the input; nil for an example.
    public let token: ReplayToken?
    /// The number of inputs tried until the law was first found broken, this one included.
    public let foundAt: Int
    /// The number of inputs tried while shrinking.
    public let evaluations: Int
    /// The share of runs in which the input breaks the law; nil if it always does.
    public let failureRate: ClosedRange<Double>?
    /// The notes of the law about this input.
    public let notes: [String]
    /// The error that the law threw; it may hold pictures.
    public let error: any Error
    /// The identity of the breach: the error's type, and the line of source that detected it.
    package let origin: String
    /// The input, or the script that a law has made of it, as a gesture to play; nil for other inputs, and for invalid
    /// numbers of a screen.
    package let gesture: GestureCase?
    /// The input of a law of viewers; nil for other inputs.
    package let viewerCase: ViewerCase?
    package let isPlayedExactly: Bool

    init<Input>(_ counterexample: Counterexample<Input>) {
      let variant = counterexample.error as? VariantBreach
      input = variant?.gesture.description ?? counterexample.description
      error = variant?.error ?? counterexample.error
      // Readers of a report do not need a line of our source.
      complaint = (error as? PropertyFailure)?.message ?? counterexample.message
      (token, foundAt) = (counterexample.token, counterexample.foundAt)
      (evaluations, notes) = (counterexample.evaluations, counterexample.notes)
      failureRate = counterexample.failureRate
      origin = "\(counterexample.origin.errorType) \(counterexample.origin.place ?? "")"
      let played = counterexample.minimal as? any PlayedInput
      gesture = variant?.gesture ?? (try? played?.played)
      viewerCase = counterexample.minimal as? ViewerCase
      isPlayedExactly = played?.isPlayedExactly ?? false
    }
  }
}

extension ClassReport {
  /// Whether the required share is reached or no share is required.
  public var isReached: Bool { verdict == .met || verdict == .notRequired }
}
