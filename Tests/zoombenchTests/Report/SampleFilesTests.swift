import Foundation
import Measurement
import MeasurementHistory
import Testing

@testable import zoombench

/// Writes the samples of `ci/check-exports`, and in `pages` those of `ci/check-report`.
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
    let names = ["compare", "hostile", "contaminated", "bench", "hostile-bench", "laws"]
    let files = try names.map { name in
      ReportInput.File(
        name: name, result: try ResultFile.read(folder.appending(path: "\(name).json").path()))
    }
    #expect(!files.contains { $0.result.rows.isEmpty })
    let machine = MachineDescription.current().fingerprint
    let histories = try SeriesReport.all(in: store, machine: machine)
    #expect(histories.count == 3)
    try writePages(of: files, histories, to: folder.appending(path: "pages"))
  }

  private func writePages(
    of files: [ReportInput.File], _ history: [SeriesReport], to folder: URL
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func write(_ input: ReportInput, _ name: String) throws {
      let page = try ResultPage.rendered(input)
      try Data(page.utf8).write(to: folder.appending(path: "\(name).html"))
    }
    for file in files { try write(ReportInput(files: [file]), file.name) }
    var all = ReportInput(files: files)
    all.history = history
    try write(all, "all")
    let many = try Samples.bench(pictures: (0..<60).map { "IMG_\($0)" }, rounds: 12)
    try write(ReportInput(RunResult(many)), "many")
    try JSONSerialization.data(withJSONObject: Self.numbers)
      .write(to: folder.appending(path: "numbers.json"))
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
