import Foundation
import Measurement
import MeasurementHistory
import SystemPackage
import Testing

@testable import zoombench

@Suite struct GateReportTests {
  /// Returns a judge that finds one step at the third value, plausible from the second to the fourth.
  private static func step(_ ratio: Double) -> ([Double], Int) -> [ChangePoint] {
    { values, _ in values.count > 3 ? [ChangePoint(.step, plausible: 1...3, ratio: ratio)] : [] }
  }

  /// Returns the report on some runs; without a ratio, by the real judge.
  static func report(
    _ runs: [RunRecord], ratio: Double? = 1.1, fewest: Int = 3, allowed: Set<String> = [],
    accepting: RunRecord? = nil
  ) async throws -> GateReport {
    let folder = try TestFolder()
    let store = try HistoryStore(path: folder.file("history").string, createsFile: true)
    for run in runs { try store.append(run) }
    if let accepting {
      try store.accept(
        Acceptance(
          name: "peek", run: accepting.id, reason: "wanted",
          decidedAt: "2027-01-15T08:00:00Z", decidedBy: "me"))
    }
    let machine = Samples.machine().fingerprint
    guard let ratio else { return try GateReport(store, machine: machine, allowedCounters: []) }
    return try GateReport(
      store, machine: machine, allowedCounters: allowed, fewestRuns: fewest,
      judge: Self.step(ratio))
  }

  private static func runs(_ values: [Double]) throws -> [RunRecord] {
    try values.enumerated().map { try Samples.run($0, $1) }
  }

  @Test func `a step fails the gate, and the report has the commits around it`() async throws {
    let report = try await Self.report(try Self.runs([1, 1, 1.1, 1.1, 1.1]))
    #expect(report.standing == .failed)
    let finding = try #require(report.cases[0].findings.first)
    #expect((finding.lastGood?.commit, finding.firstBad.commit) == ("c0", "c3"))
    #expect(report.rendered().contains("peek: a step, +10.0 % (slower), commits c0..c3 (runs "))
  }

  @Test func `a speed-up is reported and does not fail the gate`() async throws {
    let report = try await Self.report(
      try Self.runs([1, 1, 0.9, 0.9]), ratio: 0.9)
    #expect(report.standing == .passed)
    #expect(report.cases[0].findings.count == 1)
  }

  @Test func `the history begins again at an accepted step`() async throws {
    let runs = try Self.runs([1, 1, 1.1, 1.1, 1.1])
    let report = try await Self.report(runs, accepting: runs[2])
    #expect(report.cases[0].runs == 3)
    #expect(report.standing == .passed)
  }

  @Test func `a count is compared with runs of earlier commits only`() async throws {
    func run(_ number: Int, committed: Int, work: Int) throws -> RunRecord {
      var run = try Samples.run(number, 1, counters: ["work": work])
      run.revision.committedAt = "2027-01-0\(committed)T00:00:00Z"
      return run
    }
    let earlier = try run(0, committed: 1, work: 5)
    let later = try run(1, committed: 3, work: 4)
    let between = try run(2, committed: 2, work: 5)
    let report = try await Self.report([earlier, later, between])
    #expect(report.run?.id == between.id)
    #expect(report.cases[0].rises.isEmpty)
    let risen = try await Self.report([earlier, later, try run(2, committed: 2, work: 6)])
    #expect(risen.cases[0].rises.map(\.before) == [5])
  }

  @Test func `a case with too few runs is undecided`() async throws {
    let report = try await Self.report(try Self.runs([1, 9]))
    #expect(report.standing == .undecided)
    #expect(throws: Failure.self) { try report.check(strict: true) }
    #expect(throws: Never.self) { try report.check(strict: false) }
  }

  @Test func `runs of other machines have no effect`() async throws {
    let other = try (0..<9).map { try Samples.run($0, 1, model: "two") }
    let none = try await Self.report(other)
    #expect(none.run == nil && none.standing == .undecided)
    let one = try await Self.report(other + [try Samples.run(9, 1)])
    #expect(one.cases.map(\.runs) == [1])
  }

  @Test func `a newest run that cannot be trusted is neither passed nor failed`() async throws {
    let report = try await Self.report(
      try Self.runs([1, 1, 1, 1]) + [Samples.run(5, 9, contamination: ["a burner"])])
    #expect(report.standing == .undecided)
    #expect(report.refusal == "the newest run is contaminated: a burner")
  }

  @Test func `a count that rose by one fails unless it is allowed`() async throws {
    let runs = try [7, 7, 8].enumerated().map {
      try Samples.run($0, 1, counters: ["bytes": $1])
    }
    let report = try await Self.report(runs)
    let rise = try #require(report.cases[0].rises.first)
    #expect((rise.before, rise.now, rise.previous.commit) == (7, 8, "c1"))
    #expect(throws: Failure.self) { try report.check(strict: false) }
    #expect(try await Self.report(runs, allowed: ["bytes"]).standing == .passed)
    #expect(try await Self.report(runs, allowed: ["pixels"]).standing == .failed)
  }

  /// Returns run number n of the named cases, measured by a tool against a baseline.
  private static func run(
    _ number: Int, _ names: [String], tool: String = "worker 1", baseline: String? = nil,
    contamination: [String] = []
  ) throws -> RunRecord {
    var run = try Samples.run(number, 1, contamination: contamination)
    let item = run.cases[0]
    run.cases = names.map { name in
      var item = item
      item.name = name
      return item
    }
    (run.tool, run.baseline) = (tool, baseline)
    return run
  }

  @Test func `a case that the newest run lacks is named, and fails if strict`() async throws {
    let names = ["peek", "replay"]
    let runs = try [
      Self.run(0, names), Self.run(1, names), Self.run(2, ["peek"]),
      Self.run(3, ["peek", "new"], tool: "worker 2"),
    ]
    let report = try await Self.report(runs, ratio: 0.9, fewest: 1)
    #expect(report.missing.map(\.name) == ["replay"])
    #expect(report.missing.map(\.last.commit) == ["c1"])
    #expect(report.standing == .passed)
    let text = report.rendered()
    #expect(text.contains("replay: missing, last measured at c1 (run "))
    #expect(text.hasSuffix("2 passed, 0 failed, 0 undecided, 1 missing\n"))
    let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("replay ") })
    #expect(row.hasSuffix("missing"))
    #expect(throws: Never.self) { try report.check(strict: false) }
    let failure = #expect(throws: Failure.self) {
      try report.check(strict: true)
    }
    #expect(failure?.status == .inconclusive)
    #expect(failure?.description.contains("replay is missing") == true)
    let json = String(decoding: try JSONEncoder.report.encode(report), as: UTF8.self)
    #expect(json.contains("\"missing\""))
  }

  @Test func `cases of other series and of untrusted runs are not missing`() async throws {
    let other = ["other"]
    let runs = try [
      Self.run(0, other, tool: "sorting 1.0"), Self.run(1, other, tool: "zoombench bench 1"),
      Self.run(2, other, contamination: ["a burner"]), Self.run(3, other, baseline: "old"),
      Self.run(4, ["peek"]),
    ]
    let report = try await Self.report(runs)
    #expect(report.missing.isEmpty)
    #expect(!report.rendered().contains("missing"))
  }

  @Test func `a count that rose fails until it falls, is accepted or is ten runs old`()
    async throws
  {
    // In run 11, the last run with 7 bytes is the tenth before it.
    let counts = [7, 7] + [Int](repeating: 8, count: 12)
    #expect(try await Self.failed(counts) == Array(2...11))
    #expect(try await Self.failed([7, 7, 8, 8, 7, 7]) == [2, 3])
    let runs = try counts.prefix(6).enumerated().map {
      try Samples.run($0, 1, counters: ["bytes": $1])
    }
    let report = try await Self.report(runs, ratio: 0.9, fewest: 1)
    #expect(report.cases[0].rises.map(\.previous.commit) == ["c1"])
    let accepted = try await Self.report(runs, ratio: 0.9, fewest: 1, accepting: runs[2])
    #expect(accepted.cases[0].rises.isEmpty && accepted.standing == .passed)
  }

  /// Returns the runs that fail the gate because of a counter.
  private static func failed(_ counts: [Int]) async throws -> [Int] {
    let runs = try counts.enumerated().map {
      try Samples.run($0, 1, counters: ["bytes": $1])
    }
    var failed: [Int] = []
    for newest in runs.indices.dropFirst() {
      let report = try await Self.report(Array(runs[...newest]), ratio: 0.9, fewest: 1)
      if report.standing == .failed { failed.append(newest) }
    }
    return failed
  }

  @Test func `a count that returns to its level has not risen`() async throws {
    let level = [Int](repeating: 100, count: 8)
    #expect(try await Self.failed(level + [99] + level) == [])
    // At the first greater count, the variation is not known yet.
    let varying = [100, 101, 101, 100, 101, 100, 100, 100, 101, 101, 100, 101, 100, 101, 101]
    #expect(try await Self.failed(varying) == [1, 2])
    // A rise to the level of ten runs before counts, and so does each of several.
    #expect(try await Self.failed([101] + [Int](repeating: 100, count: 10) + [101]) == [11])
    #expect(try await Self.failed(level + [101, 101, 102]) == [8, 9, 10])
  }

  @Test func `an upgrade of the kernel or compiler continues the history, and is named`()
    async throws
  {
    let runs = try (0..<15).map { number in
      let noise = 1 + Double(number % 3) / 1000
      var run = try Samples.run(number, number < 11 ? noise : 1.1 * noise)
      run.machine.kernel = number < 11 ? "Linux 6.1.0" : "Linux 6.6.2"
      run.machine.swiftVersion = number < 5 ? "6.2" : "6.3.1"
      return run
    }
    let report = try await Self.report(runs, ratio: nil)
    #expect(report.standing == .failed)
    #expect(report.cases.map(\.runs) == [15])
    #expect(report.rendered().contains("kernel Linux 6.1.0 became Linux 6.6.2 meanwhile"))
    #expect(!report.rendered().contains("Swift"))
  }
}
