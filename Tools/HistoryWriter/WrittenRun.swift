internal import Measurement
internal import MeasurementHistory

/// A run whose whole content follows from its id, so that any reader can check that it is complete.
enum WrittenRun {
  /// The numbers of a run of the suite, whose transaction has some dozens of pages.
  private static let (cases, launches, samples) = (20, 4, 20)

  static func make(id: String) -> RunRecord {
    var numbers = SeededRandom(seed: 1, label: id)
    func launch() -> [UInt64] {
      (0..<samples).map { _ in 6_500_000 + numbers.next() % 500_000 }
    }
    var machine = MachineDescription()
    machine.cpuModel = "of a test"
    return RunRecord(
      id: id, startedAt: "2027-01-15T08:00:00Z", tool: "history-writer",
      revision: RunRecord.Revision(commit: id, committedAt: "2027-01-15T07:00:00Z"),
      machine: machine, baseline: "base",
      cases: (0..<cases).map { number in
        RunRecord.Case(
          name: "case \(number)",
          cpuToBaseline: RunRecord.Ratio(value: 1 + Double(numbers.next() % 1000) / 1000),
          counters: ["bytes read": Int(numbers.next() >> 8)],
          cpuNanoseconds: (0..<launches).map { _ in launch() },
          wallNanoseconds: (0..<launches).map { _ in launch() })
      })
  }
}
