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
    // A history of this machine; the first series has a step in its middle.
    let store = try HistoryStore(
      path: folder.appending(path: "history.sqlite").path(), createsFile: true)
    var random = SeededRandom(seed: 1, label: "history")
    let series = ["forest, warm/restart", "panorama, cold/restart", "<script>alert(3)</script>"]
    for number in 0..<48 {
      let cases = series.enumerated().map { index, name in
        let level = index == 0 && number >= 29 ? 0.1186 : 0.113
        return RunRecord.Case(
          name: name,
          cpuToControl: RunRecord.Ratio(value: level * exp(Samples.gaussian(&random) * 0.006)))
      }
      let date = "2027-01-\(number / 3 + 10)T08:0\(number % 3):00Z"
      _ = try store.append(
        RunRecord(
          id: UUID().uuidString, startedAt: date, tool: "sample",
          revision: .init(commit: String(random.next(), radix: 16), committedAt: date),
          machine: .current(), cases: cases))
    }
    let names = ["compare", "hostile", "contaminated", "bench", "hostile-bench", "laws"].map {
      folder.appending(path: "\($0).json").path()
    }
    #expect(try names.map { try ResultFile.read($0).rows.isEmpty }.count { !$0 } == 6)
    let machine = MachineDescription.current().fingerprint
    #expect(try SeriesReport.all(in: store, machine: machine).count == 3)
  }
}
