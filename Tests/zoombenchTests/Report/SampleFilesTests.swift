import Foundation
import Measurement
import MeasurementHistory
import Testing

@testable import zoombench

/// Writes the samples of `ci/check-exports` and `ci/check-report`.
@Suite struct SampleFilesTests {
  static let folder = ProcessInfo.processInfo.environment["ZOOMBENCH_SAMPLES"]

  @Test(.enabled(if: folder != nil))
  func `samples are written and read back`() throws {
    let folder = URL(filePath: try #require(Self.folder))
    let contaminated = try Samples.comparison(
      seed: 4, contamination: ["the A/A check found a change of 4.1 %"])
    let many = Samples.bench(pictures: (0..<60).map { "IMG_\($0)" }, rounds: 12)
    let results = [
      ("compare", try Samples.comparison()), ("contaminated", contaminated),
      ("bench", Samples.bench()), ("many", many),
    ]
    let hostile = zip(["hostile", "hostile-bench", "laws"], try Samples.hostileResults(seed: 3))
    for (name, result) in results + Array(hostile) {
      let file = folder.appending(path: "\(name).json")
      try JSONEncoder.report.encode(result).write(to: file)
      #expect(try !ResultFile.read(file.path()).rows.isEmpty)
    }
    try writeHistory(to: folder.appending(path: "history.sqlite").path())
    // In a separate folder, because it is not a result.
    let numbers = folder.appending(path: "numbers")
    try FileManager.default.createDirectory(at: numbers, withIntermediateDirectories: true)
    try JSONSerialization.data(withJSONObject: Self.numbers)
      .write(to: numbers.appending(path: "numbers.json"))
  }

  /// Writes a history of this machine; the first series has a step in its middle.
  private func writeHistory(to path: String) throws {
    // The pages are made by the release build, which shows only runs of its kind.
    var machine = MachineDescription.current()
    machine.buildConfiguration = .release
    let store = try HistoryStore(path: path, createsFile: true)
    var random = SeededRandom(seed: 1, label: "history")
    let series = ["forest, warm/restart", "panorama, cold/restart", "<script>alert(3)</script>"]
    for number in 0..<48 {
      var run = try Samples.run(number, 1)
      run.machine = machine
      run.cases = series.enumerated().map { index, name in
        let level = index == 0 && number >= 29 ? 0.1186 : 0.113
        return RunRecord.Case(
          name: name,
          cpuToControl: RunRecord.Ratio(value: level * exp(Samples.gaussian(&random) * 0.006)))
      }
      _ = try store.append(run)
    }
    #expect(
      try SeriesReport.all(in: store, machine: machine.fingerprint).count == series.count)
  }

  /// Numbers as Swift writes them, which the page must write equally: function, number and text.
  private static var numbers: [[Any]] {
    let functions: [(String, (Double) -> String)] = [
      ("significant", Format.significant), ("trimmed", Format.trimmed),
      ("change", { Format.change($0) }), ("percent", { Format.percent($0) }),
      ("bytes", Format.bytes), ("grouped", { Format.grouped(Int($0)) }),
    ]
    let values = [
      0, 1e-11, 0.0004567, 0.3, 0.9996, 1, 1.0004, 9.996, 12.34, 999.4, 1234.6, 7.654e9,
    ]
    return functions.flatMap { name, format in values.map { [name, $0, format($0)] as [Any] } }
  }
}
