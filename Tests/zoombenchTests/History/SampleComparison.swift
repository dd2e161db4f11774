import Measurement
import MeasurementHistory

@testable import zoombench

/// Constructs comparisons and runs with known results.
enum SampleComparison {
  static func machine(_ model: String = "one") -> MachineDescription {
    var machine = MachineDescription()
    machine.cpuModel = model
    return machine
  }

  static func estimate(_ ratio: Double) -> ChangeEstimate {
    ChangeEstimate(
      pairs: 4, launches: 2, ratio: ratio, interval: nil, unit: .pair, spread: 0.01,
      detectableChange: nil, chance: 0.5, verdict: .same)
  }

  /// Returns two launches whose candidate takes the given nanoseconds per run of the work.
  static func item(
    _ name: String, _ role: CaseComparison.Role, candidate: UInt64, ratio: Double = 1,
    repeats: Int = 1, counters: [String: Int] = [:], unsteady: [String] = []
  ) -> CaseComparison {
    func arm(_ once: UInt64) -> PairedLaunch.Arm {
      let samples = [UInt64](repeating: once * UInt64(repeats), count: 2)
      return PairedLaunch.Arm(
        first: Elapsed(wallNanoseconds: 1, cpuNanoseconds: 1),
        wallNanoseconds: samples.map { 2 * $0 }, cpuNanoseconds: samples)
    }
    let launch = PairedLaunch(
      startNanoseconds: 0, repeats: repeats, warmUpPairs: 0, base: arm(999),
      candidate: arm(candidate), candidateRanFirst: [true, false])
    return CaseComparison(
      name: name, role: role, launches: [launch, launch],
      counters: .init(base: [:], candidate: counters, unsteady: unsteady),
      cpu: estimate(ratio), wall: estimate(ratio), verdict: .same)
  }

  static func result(
    second: Int = 0, commit: String? = "candidate", base: String? = "base",
    isBaseDirty: Bool? = nil, machine: MachineDescription = Self.machine(),
    contamination: [String] = [], cases: [CaseComparison]
  ) -> BuildComparison {
    BuildComparison(
      startedAt: "2027-01-15T08:00:\(second < 10 ? "0" : "")\(second)Z", seconds: 1, seed: 1,
      settings: GateSettings(), machine: machine,
      base: .init(name: "v1", commit: base, isDirty: isBaseDirty, tool: "worker 1"),
      candidate: .init(name: "HEAD", commit: commit, tool: "worker 1"), cases: cases,
      overall: nil, contamination: contamination)
  }

  /// Returns run number n of a machine, with the case "peek" and its ratio to the control.
  static func run(
    _ number: Int, _ value: Double, model: String = "one", counters: [String: Int] = [:],
    contamination: [String] = []
  ) throws -> RunRecord {
    var run = try RunRecord(
      result(
        second: number, machine: machine(model), contamination: contamination,
        cases: [item("peek", .gated, candidate: 1, counters: counters)]),
      revision: RunRecord.Revision(commit: "c\(number)"), baseline: nil)
    run.cases[0].cpuToControl = RunRecord.Ratio(value: value)
    return run
  }
}
