import Measurement

/// Constructs comparisons for tests of their readers.
enum HandmadeComparison {
  static func launch(base: [UInt64], candidate: [UInt64]) -> PairedLaunch {
    func arm(_ samples: [UInt64]) -> PairedLaunch.Arm {
      PairedLaunch.Arm(
        first: Elapsed(wallNanoseconds: 9_000_000, cpuNanoseconds: 8_000_000),
        wallNanoseconds: samples, cpuNanoseconds: samples)
    }
    return PairedLaunch(
      startNanoseconds: 0, repeats: 1, warmUpPairs: 0, base: arm(base),
      candidate: arm(candidate),
      candidateRanFirst: base.indices.map { $0.isMultiple(of: 2) })
  }

  static func estimate(_ ratio: Double, _ verdict: Verdict) -> ChangeEstimate {
    ChangeEstimate(
      pairs: 80, launches: 4, ratio: ratio,
      interval: nil, unit: .pair, spread: 0.02, detectableChange: 0.021, chance: 0.5,
      verdict: verdict)
  }

  static func peek(
    _ name: String = "peek", ratio: Double = 1, verdict: Verdict = .same,
    base: [String: Int] = [:], candidate: [String: Int] = [:], differing: [Int] = [],
    reason: String? = nil, role: CaseComparison.Role = .gated
  ) -> CaseComparison {
    let nanoseconds = (0..<20).map { UInt64(5_000_000 + 1000 * $0) }
    let slower = nanoseconds.map { UInt64((Double($0) * ratio).rounded()) }
    return CaseComparison(
      name: name, role: role, launches: [launch(base: nanoseconds, candidate: slower)],
      counters: CaseComparison.Counters(base: base, candidate: candidate), answersCompared: 20,
      differingRounds: differing, cpu: estimate(ratio, verdict), wall: estimate(ratio, verdict),
      verdict: verdict, reason: reason)
  }

  static func result(
    _ cases: [CaseComparison], base: String? = "b000", contamination: [String] = []
  ) -> BuildComparison {
    BuildComparison(
      startedAt: "2026-11-21T00:00:00Z", seconds: 42, seed: 1, settings: GateSettings(),
      machine: MachineDescription(),
      base: BuildComparison.Build(name: "main", commit: base, isDirty: false, tool: "tool 1"),
      candidate: BuildComparison.Build(
        name: "working tree", commit: "c000", isDirty: true, tool: "tool 2"),
      cases: cases, overall: nil, contamination: contamination)
  }
}
