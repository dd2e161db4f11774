/// One case of a comparison: every raw sample, the counters, and what they say.
package struct CaseComparison: Sendable, Hashable, Codable {
  /// What a case is for.
  package enum Role: String, Sendable, Hashable, Codable {
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
  package struct Counters: Sendable, Hashable, Codable {
    package var base: [String: Int]
    package var candidate: [String: Int]
    /// Names that differed between launches of the same build and therefore gate nothing.
    package var unsteady: [String]

    /// Puts the counts of both builds together.
    package init(base: [String: Int], candidate: [String: Int], unsteady: [String] = []) {
      self.base = base
      self.candidate = candidate
      self.unsteady = unsteady
    }

    /// The candidate's counts that may be held against those of another run, one by one.
    ///
    /// Counts that differ between launches of one build say nothing of another, and a peak of
    /// memory is not exact even where this run told its builds apart by it.
    package var exact: [String: Int] {
      candidate.filter { !unsteady.contains($0.key) && !CounterLedger.peaks.contains($0.key) }
    }
  }

  package var name: String
  package var role: Role
  package var launches: [PairedLaunch]
  /// The second measurement of a "slower", in fresh processes; empty where none was needed.
  package var confirmation: [PairedLaunch]
  package var counters: Counters
  /// How many rounds both builds answered, and the rounds whose answers had different digests.
  package var answersCompared: Int
  package var differingRounds: [Int]
  /// CPU time, which gates.
  package var cpu: ChangeEstimate
  /// Wall time, which is reported.
  package var wall: ChangeEstimate
  /// The slow end of wall time, which is what users feel; it is reported and decides nothing.
  ///
  /// Nil where it was not asked for, and in results that earlier versions wrote.
  package var tails: TailLatency?
  /// The second measurement's CPU time.
  package var confirmed: ChangeEstimate?
  /// What counts: after confirmation, the correction for many cases, and contamination.
  package var verdict: Verdict
  /// Why the verdict is not that of `cpu`, in one sentence without a full stop.
  package var reason: String?

  /// Puts a case together.
  package init(
    name: String, role: Role, launches: [PairedLaunch], confirmation: [PairedLaunch] = [],
    counters: Counters = Counters(base: [:], candidate: [:]), answersCompared: Int = 0,
    differingRounds: [Int] = [], cpu: ChangeEstimate, wall: ChangeEstimate,
    tails: TailLatency? = nil, confirmed: ChangeEstimate? = nil, verdict: Verdict,
    reason: String? = nil
  ) {
    self.name = name
    self.role = role
    self.launches = launches
    self.confirmation = confirmation
    self.counters = counters
    self.answersCompared = answersCompared
    self.differingRounds = differingRounds
    self.cpu = cpu
    self.wall = wall
    self.tails = tails
    self.confirmed = confirmed
    self.verdict = verdict
    self.reason = reason
  }
}
