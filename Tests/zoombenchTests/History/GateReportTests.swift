import Measurement
import MeasurementHistory
import SystemPackage
import Testing

@testable import zoombench

@Suite struct GateReportTests {
  /// Finds one step at the third value, wherever it may lie between the second and the fourth.
  private static func judge(_ ratio: Double = 1.1, least: Int = 3) -> HistoryJudge {
    HistoryJudge(
      leastHistory: least,
      judge: { values in
        guard values.count > 3 else { return [] }
        let direction = ratio > 1 ? HistoryJudge.Direction.slower : .faster
        return [.init(kind: .step, direction: direction, plausible: 1...3, ratio: ratio)]
      }, changes: { _ in [] })
  }

  private static func report(
    _ runs: [RunRecord], judge: HistoryJudge = judge(), allowed: Set<String> = [],
    accepting: RunRecord? = nil
  ) async throws -> GateReport {
    try await TestFolder.with { folder in
      let store = try HistoryStore(path: folder.file("history").string, createsFile: true)
      for run in runs { try store.append(run) }
      if let accepting {
        try store.acknowledge(
          Acknowledgement(
            name: "peek", run: accepting.id, reason: "wanted",
            decidedAt: "2027-01-15T08:00:00Z", decidedBy: "me"))
      }
      return try GateReport(
        store, machine: SampleComparison.machine().fingerprint, judge: judge,
        allowedCounters: allowed)
    }
  }

  private static func runs(_ values: [Double]) throws -> [RunRecord] {
    try values.enumerated().map { try SampleComparison.run($0, $1) }
  }

  @Test func `a step fails the gate, with the commits between which it lies`() async throws {
    let report = try await Self.report(try Self.runs([1, 1, 1.1, 1.1, 1.1]))
    #expect(report.verdict == .failed)
    let finding = try #require(report.cases[0].findings.first)
    #expect((finding.lastGood?.commit, finding.firstBad.commit) == ("c0", "c3"))
    #expect(report.rendered().contains("peek: a step, +10.0 % (slower), commits c0..c3 (runs "))
  }

  @Test func `what became faster is told and does not fail`() async throws {
    let report = try await Self.report(
      try Self.runs([1, 1, 0.9, 0.9]), judge: Self.judge(0.9))
    #expect(report.verdict == .passed)
    #expect(report.cases[0].findings.count == 1)
  }

  @Test func `from an accepted step on history begins anew`() async throws {
    let runs = try Self.runs([1, 1, 1.1, 1.1, 1.1])
    let report = try await Self.report(runs, accepting: runs[2])
    #expect(report.cases[0].runs == 3)
    #expect(report.verdict == .passed)
  }

  @Test func `too few runs say nothing`() async throws {
    let report = try await Self.report(try Self.runs([1, 9]))
    #expect(report.verdict == .inconclusive)
    #expect(throws: Failure.self) { try GateCommand.judge(report, strict: true) }
    #expect(throws: Never.self) { try GateCommand.judge(report, strict: false) }
  }

  @Test func `runs of another machine are not judged, nor judged with`() async throws {
    let other = try (0..<9).map { try SampleComparison.run($0, 1, model: "two") }
    let none = try await Self.report(other)
    #expect(none.run == nil && none.verdict == .inconclusive)
    let one = try await Self.report(other + [try SampleComparison.run(9, 1)])
    #expect(one.cases.map(\.runs) == [1])
  }

  @Test func `a newest run that cannot be trusted is neither passed nor failed`() async throws {
    let report = try await Self.report(
      try Self.runs([1, 1, 1, 1]) + [SampleComparison.run(5, 9, contamination: ["a burner"])])
    #expect(report.verdict == .inconclusive)
    #expect(report.refusal == "the newest run is contaminated: a burner")
  }

  @Test func `a count that rose by one fails unless it is allowed`() async throws {
    let runs = try [7, 7, 8].enumerated().map {
      try SampleComparison.run($0, 1, counters: ["bytes": $1])
    }
    let report = try await Self.report(runs)
    #expect(report.verdict == .failed)
    let rise = try #require(report.cases[0].rises.first)
    #expect((rise.before, rise.now, rise.previous.commit) == (7, 8, "c1"))
    #expect(throws: Failure.self) { try GateCommand.judge(report, strict: false) }
    #expect(try await Self.report(runs, allowed: ["bytes"]).verdict == .passed)
    #expect(try await Self.report(runs, allowed: ["pixels"]).verdict == .failed)
    #expect(try await Self.report(runs, accepting: runs[2]).cases[0].rises.isEmpty)
  }

  @Test func `a count is compared with the run before only`() async throws {
    let runs = try [7, 8, 8].enumerated().map {
      try SampleComparison.run($0, 1, counters: ["bytes": $1])
    }
    #expect(try await Self.report(runs).verdict == .passed)
  }
}
