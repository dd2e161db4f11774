public import PropertyTesting

/// What came of holding a law against a subject.
public struct LawReport: Sendable {
  /// A broken law: the smallest input found that breaks it.
  public struct Breach: Sendable {
    /// The input in words and numbers.
    public let input: String
    /// What is wrong with it.
    public let complaint: String
    /// Replays it; nil for an input that was given as an example.
    public let token: ReplayToken?
    /// How many inputs had been tried when the law was first found broken, this one included.
    public let foundAt: Int
    /// How many inputs were tried to make it as small as it is.
    public let evaluations: Int
    /// How often the input breaks the law, where it does not always.
    public let failureRate: ClosedRange<Double>?
    /// What the law noted on the way.
    public let notes: [String]
    /// What the law threw; it may hold pictures.
    public let error: any Error
    /// What tells it from other breaches: the error's type, and where in the source it was noticed.
    package let origin: String
    /// The input as a gesture to play; nil for what is none, and for numbers that no screen has.
    package let gesture: GestureCase?
  }

  /// A class of inputs.
  public struct InputClass: Sendable {
    /// What its inputs have in common.
    public let name: String
    /// How many there were.
    public let count: Int
    /// Their share of the inputs that were looked at.
    public let share: Double
    /// The share of inputs that must belong to it, if any.
    public let requiredShare: Double?
    /// Whether enough inputs did, or none had to.
    public let isReached: Bool
  }

  /// How it ended.
  public enum LawVerdict: Sendable, Equatable {
    /// The law held for every input.
    case held
    /// It did not.
    case broken
    /// Too few inputs were tried to say, for this reason.
    case undecided(String)
  }

  /// The law's name.
  public let law: String
  /// The law in one sentence.
  public let statement: String
  /// What it was held against.
  public let subject: String
  /// How many inputs were tried.
  public let cases: Int
  /// How many were thrown away because they test nothing.
  public let discards: Int
  /// Whether these were all the inputs there are.
  public let isExhaustive: Bool
  /// The classes that inputs belonged to.
  public let classes: [InputClass]
  /// Ways in which the law was broken, apart by where it was noticed.
  public let breaches: [Breach]
  /// How it ended.
  public let verdict: LawVerdict
  /// What gives the same run again.
  public let seed: UInt64
  /// How long it took.
  public let elapsed: Duration
  /// The share of that time, from 0 to 1, that drawing inputs took; the rest is the law's own.
  public let engineShare: Double
  /// How many inputs classes were counted in.
  package let sampled: Int
  /// Whether it is undecided only because classes have not their shares, or not for sure.
  package let lacksClasses: Bool
}

extension LawReport {
  /// What a property's report says about a law.
  init<Input>(law: String, statement: String, subject: String, _ report: PropertyReport<Input>) {
    self.law = law
    self.statement = statement
    self.subject = subject
    cases = report.cases
    discards = report.discards
    isExhaustive = report.wasExhaustive
    classes = report.classes.map {
      InputClass(
        name: $0.name, count: $0.count, share: $0.share, requiredShare: $0.requiredShare,
        isReached: $0.verdict == .met || $0.verdict == .notRequired)
    }
    breaches = report.failures.map(Breach.init)
    verdict =
      switch report.verdict {
      case .passed: .held
      case .failed: .broken
      case .gaveUp(let reason): .undecided("\(reason)")
      }
    seed = report.seed
    elapsed = report.elapsed
    engineShare = report.engineShare
    sampled = report.classes.first?.total ?? 0
    lacksClasses =
      switch report.verdict {
      case .gaveUp(.missedClasses), .gaveUp(.undecidedClasses): true
      default: false
      }
  }
}

extension LawReport.Breach {
  /// The smallest input that was found.
  init<Input>(_ counterexample: Counterexample<Input>) {
    input = counterexample.description
    // A reader of laws is not helped by the line of our source that noticed.
    complaint = (counterexample.error as? PropertyFailure)?.message ?? counterexample.message
    token = counterexample.token
    foundAt = counterexample.foundAt
    evaluations = counterexample.evaluations
    failureRate = counterexample.failureRate
    notes = counterexample.notes
    error = counterexample.error
    origin = "\(counterexample.origin.errorType) \(counterexample.origin.place ?? "")"
    gesture = try? (counterexample.minimal as? any PlayedInput)?.played
  }
}
