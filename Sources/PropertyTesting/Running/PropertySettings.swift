/// The settings of a run of a property.
public struct PropertySettings: Sendable {
  /// The number of valid cases to try; at least 1.
  ///
  /// Discarded cases do not count. The run may stop earlier at a failure, at `timeBudget`, or when every possible value
  /// has been tried. It continues beyond this number while a required share of a class is undecided.
  public var cases: Int
  /// The seed of every case, which the report contains; nil for a random seed.
  ///
  /// If the environment variable `PROPERTY_DERANDOMIZE` is set and is not 0, a run without a seed derives it from the
  /// name of the property. Then every run tries the same cases, which suits continuous integration.
  public var seed: UInt64?
  /// Whether a run without a seed derives it from the name of the property.
  package var isDerandomized = Self.environmentDerandomizes
  /// The number of cases that run in parallel, on which the report does not depend; at least 1.
  public var parallelism: Int
  /// The time after which no example, stored failure or case begins, apart from the first of the run.
  ///
  /// A run that found no failure then passes, if it had a valid case, no health check failed, and no required share is
  /// missed or undecided.
  public var timeBudget: Duration?
  /// The time at which the whole run ends, including shrinking and repetitions; a failure found earlier is reported.
  package var end: ContinuousClock.Instant?
  /// The time limit of one case, which then fails with `CaseTimedOut`; nil for no limit.
  ///
  /// Such a case is cancelled and abandoned: its task, and its thread if it never suspends, remain until it ends. Cases
  /// that shared its thread run a second time, each with its own limit.
  public var caseTimeLimit: Duration? = .seconds(60)
  /// The phases of the run; all of them by default.
  public var phases: Set<Phase> = Set(Phase.allCases)
  /// The time limit for the examination of one failure: its repetitions, its shrinking and its explanation.
  ///
  /// The simplest case found runs once more for its notes, which may take a tenth of this time in addition. With a
  /// `caseTimeLimit`, a case that is still running at the end is abandoned; otherwise the run waits for it.
  public var shrinkTime: Duration = .seconds(30)
  /// The greatest number of failures that are reported separately; at least 1.
  public var failureLimit = 8
  /// The store that keeps failures from one run to the next.
  public var store: FolderFailureStore?
  /// Failures to try before the stored ones.
  public var reproducing: [ReplayToken] = []
  /// The health checks to skip.
  public var suppressing: Set<HealthCheck> = []
  /// The treatment of failures that do not occur in every run.
  public var flakiness = Flakiness()
  /// A run with undecided required shares goes on to this number of cases; a share of 5 % that is just met takes
  /// about 70,000.
  public var classCases = 100_000
  /// Whether the shares of classes are decided from 10 cases on, each with an error probability of a thousandth.
  ///
  /// Use it if cases take seconds. Without it a decision needs at least 100 cases; its error probability is 10^-9.
  package var decidesEarly = false

  /// Creates settings with default limits.
  public init(cases: Int = 100, seed: UInt64? = nil, parallelism: Int = 1) {
    self.cases = cases
    self.seed = seed
    self.parallelism = parallelism
  }

  private static let environmentDerandomizes =
    environmentVariable("PROPERTY_DERANDOMIZE").map { $0 != "0" } ?? false

  func seed(of property: String) -> UInt64 {
    // `Hasher` is seeded differently in every process.
    seed ?? (isDerandomized ? fnvHash(property) : .random(in: 0...UInt64.max))
  }

  /// The first invalid setting, as a clause; nil if all are valid.
  var problem: String? {
    let numbers = [
      ("cases", cases, 1), ("parallelism", parallelism, 1), ("failureLimit", failureLimit, 1),
      ("flakiness.replays", flakiness.replays, 0),
      ("flakiness.estimateRuns", flakiness.estimateRuns, 1),
    ]
    for (name, number, least) in numbers where number < least {
      return "\(name) is \(number) and must be at least \(least)"
    }
    for (name, time) in [("caseTimeLimit", caseTimeLimit), ("timeBudget", timeBudget)] {
      if let time, time <= .zero { return "\(name) is \(time) and must be above 0" }
    }
    return nil
  }
}

/// Returns the FNV-1a hash of a text, which is the same in every process.
package func fnvHash(_ text: String) -> UInt64 {
  text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
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
  /// The number of runs that estimate a failure rate, at least 1; 40 give a 95 % interval at most 0.3 wide.
  package var estimateRuns = 40
}
