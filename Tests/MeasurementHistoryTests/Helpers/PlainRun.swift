import Measurement
import MeasurementHistory
import PropertyTesting

/// Runs made by hand, for examples.
enum PlainRun {
  static func machine(_ model: String = "one") -> MachineDescription {
    var machine = MachineDescription()
    machine.cpuModel = model
    return machine
  }

  /// Run number n, measured in second n of a minute, of one case named "peek".
  static func make(
    _ number: UInt64, machine model: String = "one", baseline: String? = nil,
    isDirty: Bool = false, contamination: [String] = [], counters: [String: Int] = [:],
    cases: [String] = ["peek"]
  ) -> RunRecord {
    let value = RunRecord.Ratio(value: 1 + Double(number) / 100)
    return RunRecord(
      id: Gen.id(number), startedAt: "2027-01-15T08:00:\(number < 10 ? "0" : "")\(number)Z",
      tool: "test", revision: RunRecord.Revision(commit: "c\(number)", isDirty: isDirty),
      machine: machine(model), baseline: baseline, contamination: contamination,
      cases: cases.map { name in
        RunRecord.Case(
          name: name, cpuToControl: value, cpuToBaseline: baseline == nil ? nil : value,
          counters: counters)
      })
  }

  private typealias Gen = PropertyTesting.Gen<RunRecord>
}
