/// One case of a comparison: every raw sample, the counters, and what they say.
public struct CaseComparison: Sendable, Hashable, Codable {
  /// What a case is for.
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
    /// Of the base.
    public var base: [String: Int]
    /// Of the candidate.
    public var candidate: [String: Int]
    /// Names that differed between launches of the same build and therefore gate nothing.
    public var unsteady: [String]

    package init(base: [String: Int], candidate: [String: Int], unsteady: [String] = []) {
      self.base = base
      self.candidate = candidate
      self.unsteady = unsteady
    }

    /// The candidate's counts that may be held against those of another run, one by one.
    ///
    /// Counts that differ between launches of one build say nothing of another, and a peak of
    /// memory is not exact even where this run told its builds apart by it.
    public var exact: [String: Int] {
      candidate.filter { !unsteady.contains($0.key) && !CounterRanges.peaks.contains($0.key) }
    }
  }

  /// The name that both workers give the case.
  public var name: String
  /// What the case is for.
  public var role: Role
  /// Every sample, launch by launch.
  public var launches: [PairedLaunch]
  /// The second measurement of a "slower", in fresh processes; empty where none was needed.
  public var confirmation: [PairedLaunch]
  /// What no clock is needed for.
  public var counters: Counters
  /// How many rounds both builds gave a digest of their answer for.
  public var answersCompared: Int
  /// The rounds whose answers had different digests; they change no verdict.
  public var differingRounds: [Int]
  /// CPU time, which gates.
  public var cpu: ChangeEstimate
  /// Wall time, which is reported.
  public var wall: ChangeEstimate
  /// The slow end of wall time, which is what users feel; it is reported and decides nothing.
  ///
  /// Nil where it was not asked for, and in results that earlier versions wrote.
  package var tails: TailLatency?
  /// The second measurement's CPU time.
  public var confirmed: ChangeEstimate?
  /// What counts: after confirmation, the correction for many cases, and contamination.
  public var verdict: Verdict
  /// Why the verdict is not that of `cpu`, in one sentence without a full stop.
  public var reason: String?
  /// How the candidate fails in this case, where the base does not, in a clause without a full stop.
  ///
  /// Nil where it does not fail, and in results that earlier versions wrote.
  public var failure: String?

  package init(
    name: String, role: Role, launches: [PairedLaunch], confirmation: [PairedLaunch] = [],
    counters: Counters = Counters(base: [:], candidate: [:]), answersCompared: Int = 0,
    differingRounds: [Int] = [], cpu: ChangeEstimate, wall: ChangeEstimate,
    tails: TailLatency? = nil, confirmed: ChangeEstimate? = nil, verdict: Verdict,
    reason: String? = nil, failure: String? = nil
  ) {
    (self.name, self.role, self.launches, self.confirmation) = (name, role, launches, confirmation)
    (self.counters, self.answersCompared) = (counters, answersCompared)
    (self.differingRounds, self.cpu, self.wall, self.tails) = (differingRounds, cpu, wall, tails)
    (self.confirmed, self.verdict, self.reason) = (confirmed, verdict, reason)
    self.failure = failure
  }
}

extension CaseComparison {
  /// The change of CPU time to report: that of the second measurement where there was one.
  ///
  /// A case is measured again because the first measurement looked slow, so the first is too high
  /// on average.
  package var change: ChangeEstimate {
    if let confirmed, confirmed.pairs > 0 { confirmed } else { cpu }
  }

  /// The launches that `change` was estimated from.
  package var changeLaunches: [PairedLaunch] {
    if let confirmed, confirmed.pairs > 0 { confirmation } else { launches }
  }
}
