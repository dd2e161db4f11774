import Foundation
import Measurement
import MeasurementHistory
import Testing

@testable import zoombench

/// Writes the sample results for `ci/check-exports` and `ci/check-report`.
@Suite struct SampleFilesTests {
  static let folder = ProcessInfo.processInfo.environment["ZOOMBENCH_SAMPLES"]

  @Test(.enabled(if: folder != nil))
  func `samples are written and read back`() throws {
    let folder = URL(filePath: try #require(Self.folder))
    func write(_ result: RunResult, _ name: String) throws {
      try JSONEncoder.report.encode(result).write(to: folder.appending(path: name))
    }
    try write(RunResult(try Samples.comparison()), "compare.json")
    try write(RunResult(try Samples.hostile(seed: 3, cases: 40)), "hostile.json")
    try write(
      RunResult(
        try Samples.comparison(
          seed: 4, contamination: ["the A/A check found a change of 4.1 %"])),
      "contaminated.json")
    try write(RunResult(try Samples.bench()), "bench.json")
    try write(
      RunResult(
        try Samples.bench(
          seed: 2, pictures: Array(Samples.hostileNames.prefix(3)),
          sources: ["naive"] + Samples.hostileNames.suffix(9), rounds: 7, disagreements: 1)),
      "hostile-bench.json")
    let breaches = Samples.hostileNames.map { Samples.breach(input: $0, complaint: $0) }
    try write(
      RunResult(
        Samples.laws([
          Samples.law("FZ-P1"), Samples.law("FZ-P2", verdict: .broken, breaches: breaches),
          Samples.law("FZ-P3", verdict: .undecided),
        ])), "laws.json")
    // A history of this machine, in which a run's ratio continues the series.
    let store = try HistoryStore(
      path: folder.appending(path: "history.sqlite").path(), createsFile: true)
    let series = try Samples.history(
      names: ["forest, warm/restart", "panorama, cold/restart", "<script>alert(3)</script>"])
    for index in series[0].points.indices {
      var run = RunRecord(
        id: UUID().uuidString, startedAt: "2026-11-21T00:00:00Z", tool: "sample",
        revision: RunRecord.Revision(
          commit: series[0].points[index].revision.commit,
          committedAt: series[0].points[index].startedAt),
        machine: .current(), cases: [])
      run.cases = series.map { one in
        RunRecord.Case(
          name: one.series.name, cpuToControl: RunRecord.Ratio(value: one.points[index].value))
      }
      _ = try store.append(run)
    }
    let names = ["compare", "hostile", "contaminated", "bench", "hostile-bench", "laws"].map {
      folder.appending(path: "\($0).json").path()
    }
    #expect(try names.map { try ResultFile.read($0).rows.isEmpty }.count { !$0 } == 6)
    let machine = MachineDescription.current().fingerprint
    #expect(try SeriesReport.all(in: store, machine: machine).count == 3)
  }
}
