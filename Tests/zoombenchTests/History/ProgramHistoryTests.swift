import Foundation
import Measurement
import MeasurementHistory
import SystemPackage
import TestSupport
import Testing

@testable import zoombench

/// Runs of `bench --record`, and the gate's verdicts on other programs.
@Suite struct ProgramHistoryTests {
  /// Returns a result in which naive takes 8 ms and a program the given times, with some noise.
  private static func result(
    cpu: Double, wall: Double, clock: PairedLaunch.Clock? = .cpu, commit: Int = 0
  ) -> RunResult {
    var random = SeededRandom(seed: UInt64(commit), label: "program")
    func samples(_ milliseconds: Double, noise: Double) -> [[UInt64]] {
      [(0..<8).map { _ in UInt64(milliseconds * 1e6 * (1 + noise * random.unit())) }]
    }
    func row(_ contender: String, cpu: Double, wall: Double, noise: Double) -> Row {
      Row(
        name: "forest/\(contender)/750x750/warm", group: "forest/750x750/warm",
        contender: contender, verdict: Row.Verdict(.agrees),
        wall: samples(wall, noise: noise), cpu: samples(cpu, noise: noise),
        bench: Row.Answers(agreed: 8, differing: 0, isExact: true))
    }
    var result = RunResult(
      kind: .bench, startedAt: "2027-01-15T08:00:\(commit < 10 ? "0" : "")\(commit)Z", seed: 7,
      environment: RunResult.Environment(machine: Samples.machine()))
    result.contenders = [
      RunResult.Contender(name: "naive", kind: .source),
      RunResult.Contender(name: "mine", kind: .program, clock: clock),
      RunResult.Contender(name: "floor", kind: .floor),
    ]
    result.rows = [
      row("naive", cpu: 8, wall: 8, noise: 0), row("mine", cpu: cpu, wall: wall, noise: 0.02),
      row("floor", cpu: 1, wall: 1, noise: 0),
    ]
    result.conclusion.standing = .passed
    return result
  }

  private static func record(_ result: RunResult, commit: Int = 0) throws -> RunRecord {
    try RunRecord(result, revision: RunRecord.Revision(commit: "c\(commit)"))
  }

  @Test func `each contender except naive and the floor is a case relative to naive`() throws {
    var result = Self.result(cpu: 2, wall: 2)
    result.rows[1].cpu = [[UInt64](repeating: 2_000_000, count: 8)]
    result.rows[1].counters = ["pixels decoded": 4800, "peak memory": 7]
    let run = try Self.record(result)
    #expect(run.problem == nil && run.contamination.isEmpty && run.baseline == nil)
    #expect(run.cases.map(\.name) == ["forest/mine/750x750/warm"])
    #expect(run.cases[0].cpuToControl == RunRecord.Ratio(value: 0.25, lower: 0.25, upper: 0.25))
    #expect(run.cases[0].cpuToBaseline == nil)
    #expect(run.cases[0].counters == ["pixels decoded, seed 7": 4800])
    #expect(run.cases[0].cpuNanoseconds == result.rows[1].cpu)
  }

  @Test func `each launch keeps its own samples`() throws {
    var result = Self.result(cpu: 2, wall: 2)
    for index in result.rows.indices {
      result.rows[index].cpu += result.rows[index].cpu
      result.rows[index].wall += result.rows[index].wall
    }
    let run = try Self.record(result)
    #expect(run.cases[0].cpuNanoseconds.map(\.count) == [8, 8])
    #expect(abs((run.cases[0].cpuToControl?.value ?? 0) - 0.2525) < 0.0025)
  }

  @Test func `answers that differ contaminate the run`() throws {
    var result = Self.result(cpu: 2, wall: 2)
    result.conclusion.standing = .failed
    result.conclusion.explanation = "1 of 8 answers differ from naive's pixels"
    #expect(try Self.record(result).contamination == ["1 of 8 answers differ from naive's pixels"])
  }

  @Test(arguments: [PairedLaunch.Clock.cpu, .wall])
  func `a program that stays as it is passes, and one that becomes slower fails`(
    clock: PairedLaunch.Clock
  ) async throws {
    for (factor, standing) in [(1.0, Standing.passed), (10, .failed)] {
      let runs = try (0..<20).map { commit in
        let time = commit < 13 ? 2 : 2 * factor
        return try Self.record(
          // For a server, the recorded CPU time is our own, which does not change.
          Self.result(cpu: clock == .cpu ? time : 0.1, wall: time, clock: clock, commit: commit),
          commit: commit)
      }
      let report = try await GateReportTests.report(runs, ratio: nil)
      #expect(report.standing == standing)
      let item = try #require(report.cases.first)
      #expect(item.measure == (clock == .cpu ? "cpuToControl" : "wallToControl"))
      // Its wall time became slower as well.
      let slower = [String](repeating: "c13", count: clock == .cpu ? 2 : 1)
      #expect(item.findings.map(\.firstBad.commit) == (standing == .failed ? slower : []))
    }
  }

  /// Programs that wait longer, by less than they compute, or ten times as long; and one that no longer uses
  /// two threads.
  @Test(arguments: [(3.0, 3.2, 5.6), (3, 5, 50), (2, 1, 2), (3, 5, 5), (2, 1, 1)])
  func `another program is also judged by its wall time`(
    cpu: Double, before: Double, after: Double
  ) async throws {
    let runs = try (0..<20).map { commit in
      try Self.record(
        Self.result(cpu: cpu, wall: commit < 13 ? before : after, commit: commit), commit: commit)
    }
    // All runs have the same tests, which share the false-alarm rate.
    #expect(Set(runs.map { $0.cases.map(\.judgedMeasures) }).count == 1)
    let report = try await GateReportTests.report(runs, ratio: nil)
    #expect(report.standing == (before == after ? .passed : .failed))
    let found = try #require(report.cases.first).findings
    #expect(found.map(\.measure) == (before == after ? [] : ["wallToControl"]))
    #expect(found.map(\.firstBad.commit) == (before == after ? [] : ["c13"]))
    if before != after {
      #expect(report.rendered().contains("/mine/750x750/warm: wall time, a step, +"))
    }
  }

  /// The program of the last three commits works for 200 ms instead of 2 ms at each answer, which is far more
  /// than a loaded machine adds.
  @Test func `the gate names the first slow commit of a recorded worker`() async throws {
    let worker = try TestFolder.executable().removingLastComponent().appending("pipeline-worker")
    let folder = try TestFolder()
    let repository = try TestRepository(in: folder.path)
    try await folder.place("jpeg-444", as: "a.jpg")
    var commits: [String] = []
    for number in 0..<13 {
      try repository.write(
        "exec '\(worker)' busy \(number < 10 ? 2 : 200) # \(number)\n", to: "worker.sh")
      try repository.commit("\(number)", second: number)
      commits.append(String(try repository.git("rev-parse", "HEAD").prefix(10)))
      let run = try await folder.zoombench(
        "bench", "a.jpg", "--pipeline", "mine=worker:sh worker.sh", "--sources", "naive",
        "--quick", "--rounds", "3", "--record", "--quiet")
      #expect(run.code == 0, "\(run.errors)")
    }
    let gate = try await folder.zoombench("history", "gate")
    #expect(gate.code == 1, "\(gate.output)\(gate.errors)")
    #expect(gate.output.contains("commits \(commits[9])..\(commits[10]) "), "\(gate.output)")
  }
}
