import Foundation
import Measurement
import MeasurementHistory
import PropertyTesting

/// Simple runs for examples.
enum PlainRun {
  static func machine(_ model: String = "one") -> MachineDescription {
    var machine = MachineDescription()
    machine.cpuModel = model
    return machine
  }

  /// Returns run number n, measured in second n of a minute; its only case is "peek" by default.
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

/// A folder for one test's histories, which is removed when this is released.
final class HistoryFolder: Sendable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("zoomtest.history.\(UUID())").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Opens or creates a history, and adds runs to it.
  func store(_ name: String = "history.sqlite", _ runs: [RunRecord] = []) throws -> HistoryStore {
    let store = try HistoryStore(path: file(name), createsFile: true)
    for run in runs { try store.append(run) }
    return store
  }

  func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: file(name))))
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
  }
}

extension HistoryStore {
  /// Returns every run with its cases.
  func everything() throws -> [RunRecord] { try runs().map { try run(id: $0.id) } }
}

extension Gen where Value == String {
  /// Any text that a history accepts, so without the zero at which C ends a text.
  static let histories = Gen<String>.anyString(count: 1...8)
    .map { String($0.unicodeScalars.map { $0 == "\0" ? "0" : Character($0) }) }

  static let commits = Gen<String>.string(of: .character(of: "0123456789abcdef"), count: 7...7)

  /// Times that are often equal, some with fractions.
  static let moments = Gens.zip(
    Gen<Int>.integer(in: 0...9), Gen<String>.element(of: ["", ".5", ".25"])
  )
  .map { second, fraction in "2027-01-15T08:00:0\(second)\(fraction)Z" }
}

extension Gen where Value == MachineDescription {
  /// Machines of two known processors and of an unknown one.
  static let machines = Gens.zip(
    Gen<String?>.element(of: [nil, "one", "two"]),
    Gen<[Double]?>.optional(of: .array(of: .double(in: 0...64), count: 0...3)),
    Gen<UInt64?>.optional(of: .anyInteger)
  ).map { model, loads, memory in
    var machine = MachineDescription()
    (machine.cpuModel, machine.loadAverages, machine.memoryBytes) = (model, loads, memory)
    return machine
  }
}

extension Gen where Value == RunRecord.Ratio {
  static let ratios = Gens.zip(
    Gen<Double>.double(in: 1e-300...1e300), Gen<Double?>.optional(of: .double(in: 1e-9...1)),
    Gen<Double?>.optional(of: .double(in: 1...1e9))
  ).map { RunRecord.Ratio(value: $0, lower: $1, upper: $2) }
}

extension Gen where Value == RunRecord.Case {
  static func cases(hasBaseline: Bool) -> Gen {
    let ratio = Gen<RunRecord.Ratio?>.optional(of: .ratios)
    let baseline = hasBaseline ? ratio : .constant(nil)
    let counters = Gen<[String: Int]>.dictionary(of: .histories, to: .anyInteger, count: 0...3)
    let samples = Gen<[[UInt64]]>.array(of: .array(of: .anyInteger, count: 0...4), count: 0...3)
    return Gens.zip(
      Gens.zip(ratio, ratio), Gens.zip(baseline, baseline), counters, samples, samples
    )
    .map { control, baseline, counters, cpu, wall in
      RunRecord.Case(
        name: "", cpuToControl: control.0, wallToControl: control.1, cpuToBaseline: baseline.0,
        wallToBaseline: baseline.1, counters: counters, cpuNanoseconds: cpu,
        wallNanoseconds: wall)
    }
  }
}

extension Gen where Value == RunRecord {
  /// Returns the UUID of a number.
  static func id(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return "00000000-0000-8000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// Any run that a history accepts.
  static let runs: Gen<RunRecord> = Gens.zip(
    Gen<UInt64>.integer(in: 0...0xFFFF_FFFF), .moments, .histories,
    Gens.zip(
      Gen<String>.commits, Gen<String?>.optional(of: .histories),
      Gen<String?>.optional(of: .moments), .bool),
    .machines, Gen<String?>.optional(of: .commits),
    Gen<[String]>.array(of: .histories, count: 0...2)
  ).flatMap { number, started, tool, revision, machine, baseline, contamination in
    Gen<[String: RunRecord.Case]>.dictionary(
      of: .histories, to: .cases(hasBaseline: baseline != nil), count: 0...3
    ).map { cases in
      RunRecord(
        id: id(number), startedAt: started, tool: tool,
        revision: RunRecord.Revision(
          commit: revision.0, branch: revision.1, committedAt: revision.2, isDirty: revision.3),
        machine: machine, baseline: baseline, contamination: contamination,
        cases: cases.sorted { $0.key < $1.key }.map { name, item in
          var item = item
          item.name = name
          return item
        })
    }
  }

  /// Returns a generator of runs with different ids.
  static func histories(_ count: ClosedRange<Int>) -> Gen<[RunRecord]> {
    Gen<[RunRecord]>.array(of: .runs, count: count).map { runs in
      runs.enumerated().map { number, run in
        var run = run
        run.id = id(UInt64(number))
        return run
      }
    }
  }
}
