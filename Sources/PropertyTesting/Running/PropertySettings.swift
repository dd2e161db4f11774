#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The settings of a run of a property.
public struct PropertySettings: Sendable {
  /// The number of valid cases to try; at least 1.
  ///
  /// Discarded cases do not count. The run may stop earlier at a failure, at `timeBudget`, or when every possible value
  /// has been tried. It continues beyond this number while a required share of a class is undecided.
  public var cases: Int
  /// The seed of every case; nil for a random seed, or see `isDerandomized`.
  ///
  /// The report contains it.
  public var seed: UInt64?
  /// Whether a run without a seed derives it from the name of the property, and so repeats the same cases every time.
  ///
  /// Use it in continuous integration, and a separate run for new cases. It is true if the environment sets
  /// `PROPERTY_DERANDOMIZE` to anything but 0.
  public var isDerandomized = Self.environmentDerandomizes
  /// The number of cases that run in parallel; at least 1.
  ///
  /// The report does not depend on it.
  public var parallelism: Int
  /// The time limit of the examples, the stored failures and the cases together.
  ///
  /// The run checks the clock only between cases, so it takes a little longer. A run that stops at this limit passes if
  /// it had a valid case.
  public var timeBudget: Duration?
  /// The time at which the whole run ends, including shrinking and repetitions; nil for no limit.
  ///
  /// A failure found earlier is still reported, shrunk as far as it was by then.
  package var end: ContinuousClock.Instant?
  /// The time limit of one case, which then fails with `CaseTimedOut`; nil for no limit.
  ///
  /// Such a case is cancelled and abandoned: its task, and its thread if it never suspends, remain until it ends. Cases
  /// run on separate threads, and cases that share a block with a timed-out case run twice.
  public var caseTimeLimit: Duration? = .seconds(60)
  /// The phases of the run; all of them by default.
  public var phases: Set<Phase> = Set(Phase.allCases)
  /// The greatest number of runs of the property to shrink one failure.
  ///
  /// The last half, but at most 10,000 runs and a tenth of `shrinkTime`, searches for a simpler failure far from the
  /// first result, so that different seeds end at the same counterexample.
  public var shrinkEvaluations = 20_000
  /// The time limit for shrinking one failure, as in Hypothesis.
  public var shrinkTime: Duration = .seconds(300)
  /// The greatest number of failures that are reported separately; at least 1.
  public var failureLimit = 8
  /// The store that keeps failures from one run to the next.
  public var store: (any FailureStore)?
  /// Failures to try before the stored ones.
  public var reproducing: [ReplayToken] = []
  /// The health checks to skip.
  public var suppressing: Set<HealthCheck> = []
  /// Receives one line of JSON per case, in the order of the cases and from one task at a time.
  public var observer: (@Sendable (String) -> Void)?
  /// The treatment of failures that do not occur in every run.
  public var flakiness = Flakiness()
  /// The number of the first generated case.
  ///
  /// A long run can be split into blocks that run on different machines; the result of a block depends only on its
  /// first number and its count.
  package var firstCase = 0
  /// The greatest number of cases to decide whether classes have their required shares, if above `cases`.
  ///
  /// A required share of 5 % takes about 70,000 cases if the actual share is exactly 5 %, and far fewer otherwise.
  public var classCases = 100_000

  /// Creates settings with default limits.
  ///
  /// - Parameters:
  ///   - cases: the number of valid cases to try.
  ///   - seed: the seed of every case; random if nil.
  ///   - parallelism: the number of cases that run in parallel.
  public init(cases: Int = 100, seed: UInt64? = nil, parallelism: Int = 1) {
    self.cases = cases
    self.seed = seed
    self.parallelism = parallelism
  }

  private static let environmentDerandomizes = {
    guard let value = getenv("PROPERTY_DERANDOMIZE") else { return false }
    return String(cString: value) != "0"
  }()

  /// Returns the seed for a run of a property.
  func seed(of property: String) -> UInt64 {
    if let seed { return seed }
    guard isDerandomized else { return .random(in: 0...UInt64.max) }
    // FNV-1a, because `Hasher` is seeded differently in every process.
    return property.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The first invalid setting, as a clause; nil if all are valid.
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

/// A phase of a run; the phases follow each other in this order.
public enum Phase: String, CaseIterable, Sendable {
  /// The examples given with the property.
  case explicit
  /// The failures given in the settings, then those in the store.
  case reuse
  /// Values from the generator.
  case generate
  /// Variations of the cases with the best scores; needs `generate`.
  case target
  /// Shrinking of failing cases.
  case shrink
  /// Examination of the influence of each argument on a failure; needs `shrink`.
  case explain
}

/// The treatment of failures that do not occur in every run.
public struct Flakiness: Sendable {
  /// The number of repetitions of each new failure; a failure is flaky unless all of them fail.
  ///
  /// With 0, every failure counts as reproducible. The default is that of libhegel.
  public var replays = 4
  /// The number of runs that estimate the failure rate of a flaky failure; at least 1.
  ///
  /// 40 runs give a 95 % interval at most 0.3 wide.
  public var estimateRuns = 40
  /// The number of runs of a flaky case in one step of shrinking before it counts as passing; at least 1.
  ///
  /// 10 runs miss a case with a failure rate of 30 % once in 35 steps.
  public var shrinkRuns = 10
  /// The number of runs that a stored failure must pass before it is removed; at least 1.
  ///
  /// 1 suits deterministic properties; 29 runs detect a failure rate of 10 % with a probability of 95 % (libhegel).
  public var storedReplays = 1

  /// Creates the default settings.
  public init() {}

  var problem: String? {
    if replays < 0 { return "flakiness.replays is \(replays), below 0" }
    if estimateRuns < 1 { return "flakiness.estimateRuns is \(estimateRuns), below 1" }
    if shrinkRuns < 1 { return "flakiness.shrinkRuns is \(shrinkRuns), below 1" }
    if storedReplays < 1 { return "flakiness.storedReplays is \(storedReplays), below 1" }
    return nil
  }
}
