import ForeignPipelines
import Measurement
import MeasurementHistory
import SystemPackage
import TestSupport
import Testing
import ZoomPipeline

@testable import zoombench

/// Runs of `bench --pipeline NAME=... --record`, judged by `history gate`.
@Suite struct ProgramHistoryTests {
  /// Measures the test worker with an argument, as one commit.
  private static func measured(_ program: ForeignPipeline, commit: Int) async throws -> RunRecord {
    let plan = BenchPlan(
      subjects: [
        NamedPicture(name: "jpeg-444", path: try await CorpusPictures.file("jpeg-444"))
      ],
      sources: ["naive"], peeks: [BenchPlan.PeekKind(side: 50, scale: 1)], states: [.warm],
      coldRounds: 1...1, warmRounds: 3...3, seed: 1)
    let scratch = try ScratchFolder()
    defer { scratch.remove() }
    let run = BenchRun(
      plan: plan, bar: ProgressBar(isQuiet: true), pipelines: StandardPipelines(),
      programs: [program], executable: try TestFolder.executable().string, scratch: scratch.path)
    var report = try Samples.report()
    (report.pictures, report.groups) = ([], [])
    try run.measure([BenchSchedule.Cost(start: 0, round: 0)], into: &report)
    return try Self.record(report, commit: commit)
  }

  private static func record(_ report: BenchReport, commit: Int) throws -> RunRecord {
    var report = report
    report.startedAt = "2027-01-15T08:00:\(commit < 10 ? "0" : "")\(commit)Z"
    return try RunRecord(RunResult(report), revision: RunRecord.Revision(commit: "c\(commit)"))
  }

  private static func program(_ argument: String) throws -> ForeignPipeline {
    let folder = try TestFolder.executable().removingLastComponent()
    return try ForeignPipeline("mine=worker:'\(folder.appending("pipeline-worker"))' \(argument)")
  }

  private static func judged(_ runs: [RunRecord]) async throws -> GateReport {
    try await TestFolder.with { folder in
      let store = try HistoryStore(path: folder.file("history").string, createsFile: true)
      for run in runs { try store.append(run) }
      return try GateReport(
        store, machine: try #require(runs.first).machine.fingerprint, allowedCounters: [])
    }
  }

  /// 60 ms of CPU time instead of 2 ms is far more than a loaded machine adds in thirteen runs.
  @Test func `the gate names the commit from which on a worker is slow`() async throws {
    let (before, after) = (try Self.program("busy 2"), try Self.program("busy 60"))
    var runs: [RunRecord] = []
    for commit in 0..<13 {
      runs.append(try await Self.measured(commit < 10 ? before : after, commit: commit))
    }
    let report = try await Self.judged(runs)
    let item = try #require(report.cases.first)
    #expect(item.measure == "cpuToControl")
    #expect(report.verdict == .failed)
    let finding = try #require(item.findings.first)
    #expect(finding.measure == "cpuToControl")
    #expect((finding.lastGood?.commit, finding.firstBad.commit) == ("c9", "c10"))
    #expect(throws: Failure.self) { try HistoryGateCommand.judge(report, strict: false) }
  }

  /// Returns a report in which naive takes 8 ms and the program the given times, with some noise.
  private static func report(
    cpu: Double, wall: Double, known: Bool, commit: Int
  ) throws -> BenchReport {
    var random = SeededRandom(seed: UInt64(commit), label: "program")
    var report = try Samples.report(rounds: 8)
    report.groups[0].arms[1].source = "mine"
    report.groups[0].arms[1].kind = .program
    report.groups[0].arms[1].alike = BenchReport.Likeness()
    report.groups[0].arms[1].counters = ["pixels delivered": 1]
    report.groups[0].arms[1].clock = known ? .cpu : .wall
    func samples(_ milliseconds: Double) -> [UInt64] {
      (0..<8).map { _ in UInt64(milliseconds * 1e6 * (1 + 0.02 * random.unit())) }
    }
    report.groups[0].arms[1].cpu = [samples(cpu)]
    report.groups[0].arms[1].wall = [samples(wall)]
    return report
  }

  @Test(arguments: [true, false])
  func `a program that stays as it is passes, and one that becomes slower fails`(
    known: Bool
  ) async throws {
    for (factor, verdict) in [(1.0, GateReport.Verdict.passed), (10, .failed)] {
      let runs = try (0..<20).map { commit in
        let time = commit < 13 ? 2 : 2 * factor
        return try Self.record(
          // For a server, the recorded CPU time is our own, which does not change.
          Self.report(cpu: known ? time : 0.1, wall: time, known: known, commit: commit),
          commit: commit)
      }
      let report = try await Self.judged(runs)
      #expect(report.verdict == verdict)
      let item = try #require(report.cases.first)
      #expect(item.measure == (known ? "cpuToControl" : "wallToControl"))
      // Its wall time became slower as well.
      let slower = [String](repeating: "c13", count: known ? 2 : 1)
      #expect(item.findings.map(\.firstBad.commit) == (verdict == .failed ? slower : []))
    }
  }

  /// Programs that wait longer, by less than they compute, or ten times as long; and one that no longer uses
  /// two threads.
  @Test(arguments: [(3.0, 3.2, 5.6), (3, 5, 50), (2, 1, 2), (3, 5, 5), (2, 1, 1)])
  func `another program is judged by the time that passes as well`(
    cpu: Double, before: Double, after: Double
  ) async throws {
    let runs = try (0..<20).map { commit in
      try Self.record(
        Self.report(cpu: cpu, wall: commit < 13 ? before : after, known: true, commit: commit),
        commit: commit)
    }
    // All runs have the same tests, which share the false-alarm rate.
    #expect(Set(runs.map { $0.cases.map(\.judgedMeasures) }).count == 1)
    let report = try await Self.judged(runs)
    #expect(report.verdict == (before == after ? .passed : .failed))
    let found = try #require(report.cases.first).findings
    #expect(found.map(\.measure) == (before == after ? [] : ["wallToControl"]))
    #expect(found.map(\.firstBad.commit) == (before == after ? [] : ["c13"]))
    if before != after {
      #expect(report.rendered().contains("/mine/750x750/warm: wall time, a step, +"))
    }
  }

  @Test func `CPU time that is not the program's is not kept as a ratio`() throws {
    func kept(cpu: Double, wall: Double, known: Bool) throws -> RunRecord.Case {
      let report = try Self.report(cpu: cpu, wall: wall, known: known, commit: 0)
      return try #require(try Self.record(report, commit: 0).cases.first)
    }
    #expect(try kept(cpu: 2, wall: 3, known: true).cpuToControl != nil)
    #expect(try kept(cpu: 2, wall: 3, known: false).cpuToControl == nil)
    #expect(try kept(cpu: 2, wall: 5, known: true).wallToControl != nil)
  }
}
