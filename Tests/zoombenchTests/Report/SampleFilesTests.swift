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
    func write(_ value: some Encodable, _ name: String) throws {
      try JSONEncoder.report.encode(value).write(to: folder.appending(path: name))
    }
    try write(try SampleResults.comparison(), "compare.json")
    try write(try SampleResults.hostile(seed: 3, cases: 40), "hostile.json")
    try write(
      try SampleResults.comparison(
        seed: 4, contamination: ["the A/A check found a change of 4.1 %"]),
      "contaminated.json")
    try write(try SampleResults.bench(), "bench.json")
    let pictures = SampleResults.hostileNames.prefix(3).map {
      SampleResults.SamplePicture(name: $0, width: 900, height: 700)
    }
    try write(
      try SampleResults.bench(
        seed: 2, pictures: pictures, sources: ["naive"] + SampleResults.hostileNames.suffix(9),
        rounds: 7, disagreements: 1),
      "hostile-bench.json")
    // A history of this machine, in which a run's ratio continues the series.
    let store = try HistoryStore(
      path: folder.appending(path: "history.sqlite").path(), createsFile: true)
    let series = try SampleResults.history(
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
    let names = ["compare", "hostile", "contaminated", "bench", "hostile-bench"].map {
      folder.appending(path: "\($0).json").path()
    }
    #expect(try ReportInput.read(names).files.count == 5)
    let machine = MachineDescription.current().fingerprint
    #expect(try SeriesReport.all(in: store, machine: machine).count == 3)
  }
}
