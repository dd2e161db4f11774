#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How a property is run.
public struct PropertySettings: Sendable {
  /// How many valid cases are tried; at least 1.
  ///
  /// Cases that are discarded are not counted. The run may stop before at a failure, at
  /// `timeBudget`, or when every value there is has been tried, and it goes on beyond while a
  /// required share of a class is not decided.
  public var cases: Int
  /// What every case is drawn from; when nil a random one, or see `isDerandomized`.
  ///
  /// The report names it.
  public var seed: UInt64?
  /// Whether a run without a seed takes one from the name of the property, so that it sees the
  /// same cases every time: for continuous integration, where new cases belong to a run of their
  /// own.
  ///
  /// True where the environment sets `PROPERTY_DERANDOMIZE` to anything but 0.
  public var isDerandomized = Self.environmentDerandomizes
  /// How many cases run at the same time; at least 1.
  ///
  /// The report does not depend on it.
  public var parallelism: Int
  /// How long the examples, the stored failures and the cases may take together.
  ///
  /// The clock is read now and then, so that a run takes a little longer. A run that stops for it
  /// is passed when it had a valid case.
  public var timeBudget: Duration?
  /// When the whole run ends, shrinking and repetitions included; nil for no end.
  ///
  /// A failure that was found before is reported all the same, as small as it was by then.
  package var end: ContinuousClock.Instant?
  /// How long one case may take before it counts as a failure, a `CaseTimedOut`; no limit when
  /// nil.
  ///
  /// Such a case is cancelled and left behind: its task, and its thread when it never suspends,
  /// stay until it ends. Cases run on threads of the run's own, and those beside a case that takes
  /// too long run twice.
  public var caseTimeLimit: Duration? = .seconds(60)
  /// What is done; everything unless changed.
  public var phases: Set<Phase> = Set(Phase.allCases)
  /// How often the property may run to shrink one failure.
  ///
  /// The last half, but at most 10,000 runs and a tenth of `shrinkTime`, looks for a simpler
  /// failure far from what the first came to, so that every seed ends on the same.
  public var shrinkEvaluations = 20_000
  /// How long shrinking one failure may take; Hypothesis' limit.
  public var shrinkTime: Duration = .seconds(300)
  /// How many failures are reported apart; at least 1.
  public var failureLimit = 8
  /// Where failures are kept from one run to the next.
  public var store: (any FailureStore)?
  /// Failures to try before the stored ones.
  public var reproducing: [ReplayToken] = []
  /// Health checks that are not made.
  public var suppressing: Set<HealthCheck> = []
  /// Is given one line of JSON for each case; see `ObservedCase`.
  ///
  /// Lines of the cases come in the order of the cases, from one task at a time.
  public var observer: (@Sendable (String) -> Void)?
  /// How failures are told from those that only happen now and then.
  public var flakiness = Flakiness()
  /// The number of the first case that is generated.
  ///
  /// A run of many cases can be cut into blocks that run anywhere; what a block comes to depends on its
  /// first number and its count alone.
  package var firstCase = 0
  /// How many cases may be run to decide whether classes have their shares; above `cases`.
  ///
  /// A share of 5 % takes about 70,000 cases when it is exactly 5 %, and far fewer when not.
  public var classCases = 100_000

  /// Settings with the usual limits.
  ///
  /// - Parameters:
  ///   - cases: how many valid cases are tried.
  ///   - seed: what every case is drawn from; a random one when nil.
  ///   - parallelism: how many cases run at the same time.
  public init(cases: Int = 100, seed: UInt64? = nil, parallelism: Int = 1) {
    self.cases = cases
    self.seed = seed
    self.parallelism = parallelism
  }

  private static let environmentDerandomizes = {
    guard let value = getenv("PROPERTY_DERANDOMIZE") else { return false }
    return String(cString: value) != "0"
  }()

  /// The seed of a run of a property.
  func seed(of property: String) -> UInt64 {
    if let seed { return seed }
    guard isDerandomized else { return .random(in: 0...UInt64.max) }
    // FNV-1a, for `Hasher` is another in every process.
    return property.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Why the settings make no sense, or nil when they do.
  var problem: String? {
    if cases < 1 { return "cases is \(cases) and must be at least 1" }
    if parallelism < 1 { return "parallelism is \(parallelism) and must be at least 1" }
    if failureLimit < 1 { return "failureLimit is \(failureLimit) and must be at least 1" }
    if shrinkEvaluations < 0 { return "shrinkEvaluations is \(shrinkEvaluations), below 0" }
    if let caseTimeLimit, caseTimeLimit <= .zero {
      return "caseTimeLimit is \(caseTimeLimit) and must be above 0"
    }
    if let timeBudget, timeBudget <= .zero {
      return "timeBudget is \(timeBudget) and must be above 0"
    }
    return flakiness.problem
  }
}

/// A part of a run; they follow each other in this order.
public enum Phase: String, CaseIterable, Sendable {
  /// The examples given with the property.
  case explicit
  /// The failures named in the settings, and those of the store.
  case reuse
  /// Values from the generator.
  case generate
  /// Variations of the cases that score best; needs `generate`.
  case target
  /// Making failing cases simple.
  case shrink
  /// Finding out which arguments of a failing case matter; needs `shrink`.
  case explain
}

/// How failures are told from those that only happen now and then.
public struct Flakiness: Sendable {
  /// How often each new failure is run again; it is flaky unless it fails every time.
  ///
  /// 0 takes every failure for certain. Four is libhegel's number.
  public var replays = 4
  /// How many runs estimate the failure rate of a flaky failure; at least 1.
  ///
  /// 40 bring a 95 % interval to at most 0.3 wide.
  public var estimateRuns = 40
  /// How often a flaky case is run in one step of shrinking before it counts as passing; at
  /// least 1.
  ///
  /// 10 runs miss a case that fails in 3 of 10 once in 35 times.
  public var shrinkRuns = 10
  /// How often a stored failure must pass before it is forgotten; at least 1.
  ///
  /// 1 suits what is deterministic; 29 keep a failure of 1 in 10 in 95 of 100 runs (libhegel).
  public var storedReplays = 1

  /// The usual numbers.
  public init() {}

  var problem: String? {
    if replays < 0 { return "flakiness.replays is \(replays), below 0" }
    if estimateRuns < 1 { return "flakiness.estimateRuns is \(estimateRuns), below 1" }
    if shrinkRuns < 1 { return "flakiness.shrinkRuns is \(shrinkRuns), below 1" }
    if storedReplays < 1 { return "flakiness.storedReplays is \(storedReplays), below 1" }
    return nil
  }
}
