/// One case of a comparison: every raw sample, the counters, and what they say.
public struct CaseComparison: Sendable, Hashable, Codable {
  /// The purpose of a case.
  public enum Role: String, Sendable, Hashable, Codable {
    /// Code under test: its verdict counts.
    case gated
    /// The same build on both sides; a difference means that the run cannot be trusted.
    case sameBuild
    /// Frozen code that is the same in every build; a difference means the same.
    case control
    /// Five per cent more work on one side; a run that does not see it sees nothing.
    case canary
  }

  /// The counts of one case, by name: "bytes read", "pixels decoded", "peak memory" in bytes.
  public struct Counters: Sendable, Hashable, Codable {
    /// The base's counts.
    public var base: [String: Int]
    /// The candidate's counts.
    public var candidate: [String: Int]
    /// Names that differed between launches of the same build and therefore gate nothing.
    public var unsteady: [String]
    /// Names that are not known to repeat from launch to launch, but lie so far apart that they gate.
    ///
    /// Nil in results that earlier versions wrote, which do not tell.
    package var varied: [String]?

    package init(
      base: [String: Int], candidate: [String: Int], unsteady: [String] = [],
      varied: [String]? = []
    ) {
      (self.base, self.candidate) = (base, candidate)
      (self.unsteady, self.varied) = (unsteady, varied)
    }

    /// The candidate's counts that may be held against those of another run, one by one.
    ///
    /// Counts that differ between launches of one build would differ from those of another run by
    /// chance, even where they lie apart from those of the other build of this run. A peak of memory is
    /// never exact.
    public var exact: [String: Int] {
      let inexact = CounterRanges.peaks.union(unsteady).union(varied ?? [])
      return candidate.filter { !inexact.contains($0.key) }
    }
  }

  /// The name that both workers give the case.
  public var name: String
  /// The purpose of the case.
  public var role: Role
  /// Every sample, launch by launch.
  public var launches: [PairedLaunch]
  /// The second measurement of a "slower", in fresh processes; empty where none was needed.
  public var confirmation: [PairedLaunch]
  /// The counts, for which no clock is needed.
  public var counters: Counters
  /// The number of rounds for which both builds gave a digest of their answer.
  public var answersCompared: Int
  /// The rounds whose answers had different digests; they change no verdict.
  public var differingRounds: [Int]
  /// The change of CPU time in the first measurement.
  public var cpu: ChangeEstimate
  /// The change of wall time in the first measurement.
  public var wall: ChangeEstimate
  /// The clock that decides; nil in results that earlier versions wrote, in which CPU time does.
  package var decidingClock: PairedLaunch.Clock?
  /// The slow end of wall time, which is what users feel; it is reported and decides nothing.
  ///
  /// Nil where it was not asked for, and in results that earlier versions wrote.
  package var tails: TailLatency?
  /// The change in the second measurement, on the clock that decides.
  public var confirmed: ChangeEstimate?
  /// The final verdict: after confirmation, the correction for many cases, and contamination.
  public var verdict: Verdict
  /// Why the verdict is not that of the first measurement, in one sentence without a full stop.
  public var reason: String?
  /// The candidate's failure in this case, if the base does not fail, in a clause without a full stop.
  ///
  /// Nil where it does not fail, and in results that earlier versions wrote.
  public var failure: String?

  package init(
    name: String, role: Role, launches: [PairedLaunch], confirmation: [PairedLaunch] = [],
    counters: Counters = Counters(base: [:], candidate: [:]), answersCompared: Int = 0,
    differingRounds: [Int] = [], cpu: ChangeEstimate, wall: ChangeEstimate,
    tails: TailLatency? = nil, confirmed: ChangeEstimate? = nil, verdict: Verdict,
    reason: String? = nil, failure: String? = nil, decidingClock: PairedLaunch.Clock? = nil
  ) {
    (self.name, self.role, self.launches, self.confirmation) = (name, role, launches, confirmation)
    (self.counters, self.answersCompared) = (counters, answersCompared)
    (self.differingRounds, self.cpu, self.wall, self.tails) = (differingRounds, cpu, wall, tails)
    (self.confirmed, self.verdict, self.reason) = (confirmed, verdict, reason)
    self.failure = failure
    self.decidingClock = decidingClock
  }
}

extension CaseComparison {
  /// The clock that decides: wall time where a program waits, else CPU time.
  package var clock: PairedLaunch.Clock { decidingClock ?? .cpu }

  /// The change in the first measurement, on the clock that decides.
  package var first: ChangeEstimate { clock == .cpu ? cpu : wall }

  /// The change to report: that of the second measurement where there was one.
  ///
  /// A case is measured again because the first measurement looked slow, so the first is too high
  /// on average.
  package var change: ChangeEstimate {
    if let confirmed, confirmed.pairs > 0 { confirmed } else { first }
  }

  /// Returns the change on a clock: the one to report if the clock decides, else that of the first measurement.
  package func change(on shown: PairedLaunch.Clock) -> ChangeEstimate {
    shown == clock ? change : shown == .cpu ? cpu : wall
  }

  /// The launches that `change` was estimated from.
  package var changeLaunches: [PairedLaunch] {
    if let confirmed, confirmed.pairs > 0 { confirmation } else { launches }
  }
}
