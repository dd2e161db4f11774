/// The result of running a property.
public struct PropertyReport<Value: Sendable>: Sendable {
  /// The name of the property.
  public let name: String
  /// The seed of the cases; the same seed and settings give the same report, apart from times.
  public let seed: UInt64
  /// The number of valid cases, including examples and replayed failures but not shrinking.
  public internal(set) var cases = 0
  /// The number of discarded cases.
  public internal(set) var discards = 0
  /// The number of cases that were too large, or whose generator did not end in time.
  package internal(set) var oversized = 0
  /// The classes that the property counts, in the order in which it named them.
  public internal(set) var classes: [ClassReport] = []
  /// The tables of values that the property collects; see `TestCase.collect`.
  public internal(set) var tables: [ValueTable] = []
  /// The failures, one per origin, in the order in which they were found.
  public internal(set) var failures: [Counterexample<Value>] = []
  /// The number of failures with further origins, which are not reported; see `failureLimit`.
  package internal(set) var unreportedFailures = 0
  /// The defects of the generator, or of the property as a test.
  public internal(set) var healthFindings: [HealthFinding] = []
  /// The problems with stored failures, which may be damaged, unreadable, not written or not reproduced.
  public internal(set) var storeProblems: [String] = []
  /// Whether the run tried every value that the generator can make, each once.
  public internal(set) var wasExhaustive = false
  /// The best scores, by name; see `TestCase.target`.
  package internal(set) var bestScores: [String: Double] = [:]
  /// The duration of the run.
  public internal(set) var elapsed: Duration = .zero
  /// The share of time that generating and recording take, from 0 to 1, estimated by sampling; the property takes the
  /// rest.
  public internal(set) var engineShare = 0.0
  /// The verdict of the run.
  public internal(set) var verdict = Verdict.gaveUp(.nothingRun)

  /// The verdict of a run.
  public enum Verdict: Hashable, Sendable {
    /// Every case passed, and all requirements on the cases were met.
    case passed
    /// There is a counterexample.
    case failed
    /// No counterexample was found, but the run is inconclusive.
    case gaveUp(GaveUpReason)
  }
}

/// The reason for an inconclusive run.
public enum GaveUpReason: Hashable, Sendable {
  /// The settings are invalid.
  case invalidSettings(String)
  case nothingRun, tooFewValidCases, cancelled
  /// A health check failed.
  case unhealthy
  /// Classes miss their required shares.
  case missedClasses([String])
  /// The run ended before it was certain whether these classes have their required shares.
  case undecidedClasses([String])
}

/// The number of cases for each value that a property collects.
public struct ValueTable: Hashable, Sendable {
  /// The name of the table.
  public let name: String
  /// The number of generated cases that were counted; examples, replays and targeted cases are not.
  public let total: Int
  /// The values, the most frequent first.
  public let rows: [Row]
  /// The number of cases with values beyond the first 1000 distinct ones.
  public let others: Int

  /// A value as text, and its number of cases.
  public struct Row: Hashable, Sendable {
    /// The value.
    public let value: String
    /// The number of cases.
    public let count: Int
  }
}

/// A check whether the generated cases are suitable for testing the property.
public enum HealthCheck: String, CaseIterable, Sendable {
  /// More than 50 cases were discarded before 10 were valid, or more than 10 were discarded per valid case.
  case tooMuchDiscarded
  /// More than 20 cases were too large before 10 were valid.
  case tooLarge
  /// Generating a case took more than 0.1 seconds on average, or exceeded the time limit of a case.
  case tooSlow
  /// The simplest case uses more than half of the choices that a case may have.
  case largeSimplestCase
}

/// A health check that failed.
public struct HealthFinding: Hashable, Sendable {
  /// The failed check.
  public let check: HealthCheck
  /// The finding, as text.
  public let message: String
}

/// The number of cases in a class.
public struct ClassReport: Hashable, Sendable {
  /// The name of the class.
  public let name: String
  /// The number of cases in the class, of `total`.
  public let count: Int
  /// The number of generated cases that were counted; examples, replays and targeted cases are not.
  public let total: Int
  /// The required share, if any.
  public let requiredShare: Double?
  /// The decision whether the class has its required share.
  public let verdict: Verdict

  /// The decision whether a class has its required share; an undecided one needs more cases.
  public enum Verdict: String, Hashable, Sendable {
    case notRequired, met, missed, undecided
  }

  /// The share of cases in the class; 0 without cases.
  public var share: Double { total == 0 ? 0 : Double(count) / Double(total) }
}

/// A value for which a property does not hold.
public struct Counterexample<Value: Sendable>: Sendable {
  /// The value of the failure before shrinking.
  public let original: Value
  /// The simplest value found that fails in the same way.
  public let minimal: Value
  /// The minimal value, as text.
  public let description: String
  /// The error that the property threw for the minimal value.
  public let error: any Error
  /// The error, as text.
  public let message: String
  /// The identity of the failure.
  public let origin: FailureOrigin
  /// The token of the minimal case, for `PropertySettings.reproducing`; nil if the value was not generated.
  public let token: ReplayToken?
  /// The number of the failing case, from 1; 0 if it was found while shrinking.
  public let foundAt: Int
  /// The number of runs of the property that shrinking took.
  public let evaluations: Int
  /// The phase that found the failure.
  public let phase: Phase
  /// A 95 % interval of the probability that the minimal value fails; nil if it failed every time.
  public let failureRate: ClosedRange<Double>?
  /// The influence of each argument on the failure; empty if not examined.
  public let explanation: [Explanation]
  /// The notes and hand-drawn values of the property for the minimal value.
  public let notes: [String]
}

/// The influence of one argument on a failure.
public struct Explanation: Hashable, Sendable {
  /// The index of the argument in drawing order, from 0.
  public let argument: Int
  /// Whether the failure depends on the argument; false if every other value tried failed in the same way.
  public let matters: Bool
  /// The number of other values tried.
  public let trials: Int
}
