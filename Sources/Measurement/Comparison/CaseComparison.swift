/// One case of a comparison: all raw samples, the counters, and the conclusions.
public struct CaseComparison: Sendable, Hashable, Codable {
  /// The purpose of a case.
  public enum Role: String, Sendable, Hashable, Codable {
    /// Code under test: its verdict counts.
    case gated
    /// The same build on both sides; a difference means that the run cannot be trusted.
    case sameBuild
    /// Frozen code that is the same in every build; a difference means that the run cannot be trusted.
    case control
    /// Five per cent more work on one side; a run that does not find it cannot detect slow-downs.
    case canary
  }

  /// The counts of one case, by name: "bytes read", "pixels decoded", "peak memory" in bytes.
  public struct Counters: Sendable, Hashable, Codable {
    /// The base's counts.
    public var base: [String: Int]
    /// The candidate's counts.
    public var candidate: [String: Int]
    /// Names that differed between launches of the same build and are therefore not gated.
    public var unsteady: [String]
    /// Names that may vary between launches, but whose counts differ so much between the builds that they
    /// are gated.
    package var varied: [String]

    package init(
      base: [String: Int], candidate: [String: Int], unsteady: [String] = [],
      varied: [String] = []
    ) {
      (self.base, self.candidate) = (base, candidate)
      (self.unsteady, self.varied) = (unsteady, varied)
    }

    /// The candidate's counts that can be compared exactly with those of another run.
    ///
    /// Counts that vary between launches of one build would differ from those of another run by chance,
    /// even if they clearly differ between the builds of this run. Peak memory is never exact.
    public var exact: [String: Int] {
      let inexact = CounterRanges.peaks.union(unsteady).union(varied)
      return candidate.filter { !inexact.contains($0.key) }
    }
  }

  /// The name that both workers give the case.
  public var name: String
  /// The purpose of the case.
  public var role: Role
  /// Every sample, launch by launch.
  public var launches: [PairedLaunch]
  /// The second measurement, which confirms the first in fresh processes; empty if none was needed.
  public var confirmation: [PairedLaunch]
  /// The counts, which do not depend on a clock.
  public var counters: Counters
  /// The number of rounds for which both builds reported a digest of their answer.
  public var answersCompared: Int
  /// The rounds whose digests differ; they do not change the verdict.
  public var differingRounds: [Int]
  /// The change of CPU time in the first measurement.
  public var cpu: ChangeEstimate
  /// The change of wall time in the first measurement.
  public var wall: ChangeEstimate
  /// The clock that decides: wall time for a waiting program, else CPU time.
  package var clock: PairedLaunch.Clock
  /// The tail of wall time, which is what users notice; it is reported but not gated.
  ///
  /// Nil if it was not requested.
  package var tails: TailLatency?
  /// The change in the second measurement, on the clock that decides.
  public var confirmed: ChangeEstimate?
  /// The final verdict: after confirmation, the correction for many cases, and contamination.
  public var verdict: Verdict
  /// The reason that the verdict differs from the first measurement's, in one sentence without a full stop.
  public var reason: String?
  /// The candidate's failure in this case, if the base succeeds, in a clause without a full stop.
  ///
  /// Nil if it does not fail.
  public var failure: String?

  package init(
    name: String, role: Role, launches: [PairedLaunch], confirmation: [PairedLaunch] = [],
    counters: Counters = Counters(base: [:], candidate: [:]), answersCompared: Int = 0,
    differingRounds: [Int] = [], cpu: ChangeEstimate, wall: ChangeEstimate,
    tails: TailLatency? = nil, confirmed: ChangeEstimate? = nil, verdict: Verdict,
    reason: String? = nil, failure: String? = nil, clock: PairedLaunch.Clock = .cpu
  ) {
    (self.name, self.role, self.launches, self.confirmation) = (name, role, launches, confirmation)
    (self.counters, self.answersCompared) = (counters, answersCompared)
    (self.differingRounds, self.cpu, self.wall, self.tails) = (differingRounds, cpu, wall, tails)
    (self.confirmed, self.verdict, self.reason) = (confirmed, verdict, reason)
    (self.failure, self.clock) = (failure, clock)
  }
}

extension CaseComparison {
  /// The change in the first measurement, on the clock that decides.
  package var first: ChangeEstimate { clock == .cpu ? cpu : wall }

  /// The change to report: from the second measurement if there is one.
  ///
  /// A case is measured again because its first result looked changed, so the first overstates the change.
  package var change: ChangeEstimate {
    if let confirmed, confirmed.pairs > 0 { confirmed } else { first }
  }

  /// Returns the change on a clock: the reported one if the clock decides, else the first
  /// measurement's.
  package func change(on shown: PairedLaunch.Clock) -> ChangeEstimate {
    shown == clock ? change : shown == .cpu ? cpu : wall
  }

  /// The launches from which `change` was estimated.
  package var changeLaunches: [PairedLaunch] {
    if let confirmed, confirmed.pairs > 0 { confirmation } else { launches }
  }
}
