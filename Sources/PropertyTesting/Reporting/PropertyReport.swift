/// What a run of a property found.
public struct PropertyReport<Value: Sendable>: Sendable {
  /// The name of the property.
  public let name: String
  /// What the cases were drawn from; the same seed and settings give the same report, apart from
  /// times.
  public let seed: UInt64
  /// How many valid cases ran, examples and replayed failures included, shrinking not.
  public internal(set) var cases = 0
  /// How many cases were discarded.
  public internal(set) var discards = 0
  /// How many cases were given up as too large.
  public internal(set) var oversized = 0
  /// The classes that the property counts, in the order it named them.
  public internal(set) var classes: [ClassReport] = []
  /// The values that the property collects, a table for each name; see `TestCase.collect`.
  public internal(set) var tables: [ValueTable] = []
  /// The failures, each of its own origin, in the order they were met.
  public internal(set) var failures: [Counterexample<Value>] = []
  /// How many failures of other origins were met and not reported; see `failureLimit`.
  public internal(set) var unreportedFailures = 0
  /// What is wrong with the generator or the property as a test.
  public internal(set) var healthFindings: [HealthFinding] = []
  /// What went wrong with stored failures: damaged, unreadable, not written, not reproduced.
  public internal(set) var storeProblems: [String] = []
  /// Whether every value that the generator can make was tried, each once.
  public internal(set) var wasExhaustive = false
  /// The best scores, by name; see `TestCase.target`.
  public internal(set) var bestScores: [String: Double] = [:]
  /// How long the run took.
  public internal(set) var elapsed: Duration = .zero
  /// The share of the time that generating and recording took, from 0 to 1, by sampling; the rest
  /// is the property's own.
  public internal(set) var engineShare = 0.0
  /// What it comes to.
  public internal(set) var verdict = Verdict.gaveUp(.nothingRun)

  /// What a run comes to.
  public enum Verdict: Hashable, Sendable {
    /// Every case passed, and everything asked of the cases was met.
    case passed
    /// There is a counterexample.
    case failed
    /// There is none, but nothing was shown either.
    case gaveUp(GaveUpReason)
  }
}

/// Why a run shows nothing.
public enum GaveUpReason: Hashable, Sendable {
  /// The settings make no sense.
  case invalidSettings(String)
  /// There were no cases to run.
  case nothingRun
  /// Valid cases are hopelessly rare.
  case tooFewValidCases
  /// A health check failed.
  case unhealthy
  /// These classes do not have their share.
  case missedClasses([String])
  /// Whether these classes have their share was not sure at the end.
  case undecidedClasses([String])
  /// The task was cancelled.
  case cancelled
}

/// How many cases there were of each value that a property collects.
public struct ValueTable: Hashable, Sendable {
  /// The name of the table.
  public let name: String
  /// How many generated cases were looked at; those of examples, replays and targets are not.
  public let total: Int
  /// The values, the commonest first.
  public let rows: [Row]
  /// How many cases had values beyond the first 1000 different ones.
  public let others: Int

  /// A value and how many cases had it.
  public struct Row: Hashable, Sendable {
    /// The value as text.
    public let value: String
    /// How many cases.
    public let count: Int
  }
}

/// What a health check looks at.
public enum HealthCheck: String, CaseIterable, Sendable {
  /// More than 50 cases discarded before 10 valid ones, or 10 for each valid one.
  case tooMuchDiscarded
  /// More than 20 cases too large before 10 valid ones.
  case tooLarge
  /// Ten cases took more than a second to generate.
  case tooSlow
  /// The simplest case is larger than half of what a case may be.
  case largeSimplestCase
}

/// A health check that failed.
public struct HealthFinding: Hashable, Sendable {
  /// Which.
  public let check: HealthCheck
  /// What was seen.
  public let message: String
}

/// How many cases belong to a class.
public struct ClassReport: Hashable, Sendable {
  /// The name of the class.
  public let name: String
  /// How many cases belong to it, of `total`.
  public let count: Int
  /// How many generated cases were looked at; those of examples, replays and targets are not.
  public let total: Int
  /// The share that is required, if any.
  public let requiredShare: Double?
  /// Whether it has its share.
  public let verdict: Verdict

  /// Whether a class has its share.
  public enum Verdict: String, Hashable, Sendable {
    /// No share is required.
    case notRequired
    /// It has.
    case met
    /// It has not.
    case missed
    /// More cases would be needed to be sure.
    case undecided
  }

  /// Whether a class has its share, of cases that several runs have counted.
  package static func decide(
    requiredShare: Double?, count: Int, of total: Int
  ) -> Verdict {
    requiredShare.map { SequentialShare.decide(share: $0, count: count, of: total) } ?? .notRequired
  }

  /// The share of cases that belong to it; 0 without cases.
  public var share: Double { total == 0 ? 0 : Double(count) / Double(total) }
}

/// A value for which a property does not hold.
public struct Counterexample<Value: Sendable>: Sendable {
  /// The value that was met first.
  public let original: Value
  /// The simplest value found that fails in the same way.
  public let minimal: Value
  /// The minimal value, as text.
  public let description: String
  /// What the property threw for the minimal value.
  public let error: any Error
  /// That error, as text.
  public let message: String
  /// Where it came from.
  public let origin: Origin
  /// Names the minimal case, for `PropertySettings.reproducing`; nil for a value that was given and
  /// not generated.
  public let token: ReplayToken?
  /// The number of the case in which it was met, from 1; 0 when it was met while shrinking.
  public let foundAt: Int
  /// How often the property ran to shrink the value.
  public let evaluations: Int
  /// How the value was met.
  public let phase: Phase
  /// How likely the minimal value fails, a 95 % interval; nil when it failed every time.
  public let failureRate: ClosedRange<Double>?
  /// What matters and what does not; empty when not looked into.
  public let explanation: [Explanation]
  /// What the property drew by hand or noted for the minimal value.
  public let notes: [String]

  /// What tells failures apart: those of the same type and place are taken for one.
  public struct Origin: Hashable, Sendable {
    /// The type of the error.
    public let errorType: String
    /// The place in the source, where known.
    public let place: String?
  }
}

/// Whether an argument of a counterexample matters.
public struct Explanation: Hashable, Sendable {
  /// Which argument, from 0, in the order they are drawn.
  public let argument: Int
  /// Whether the failure depends on it: false when it failed in the same way whatever was drawn.
  public let matters: Bool
  /// How many other values were tried.
  public let trials: Int
}
