import ArgumentParser
import Foundation
import Measurement
import MeasurementHistory
import Testing

@testable import zoombench

@Suite struct ReportCommandTests {
  /// Runs the command on sample results and returns its output.
  private func output(_ arguments: [String]) async throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "zoombench-report-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let compare = folder.appending(path: "compare.json")
    try JSONEncoder.report.encode(try SampleResults.comparison()).write(to: compare)
    let history = folder.appending(path: "history.sqlite")
    let store = try HistoryStore(path: history.path(), createsFile: true)
    var machine = SampleComparison.result(cases: [])
    machine.machine = .current()
    machine.cases = [SampleComparison.item("a series", .gated, candidate: 5, ratio: 1.5)]
    machine.cases.append(SampleComparison.item("control", .control, candidate: 5))
    let revision = RunRecord.Revision(commit: "c000")
    _ = try store.append(try RunRecord(machine, revision: revision, baseline: nil))
    let target = folder.appending(path: "report")
    let paths = arguments.map { $0 == "HISTORY" ? history.path() : $0 }
    let command = try ReportCommand.parse([compare.path(), "-o", target.path()] + paths)
    try await command.run()
    return try String(contentsOf: target, encoding: .utf8)
  }

  @Test(arguments: ReportFormat.allCases)
  func `every format is written`(format: ReportFormat) async throws {
    let text = try await output(["--format", format.rawValue])
    // Not hasSuffix, because CR LF is one character.
    #expect(text.utf8.last == UInt8(ascii: "\n"))
    #expect(text.contains("forest"))
  }

  @Test func `the page is what is written without a format, with the history`() async throws {
    let text = try await output(["--history", "HISTORY"])
    #expect(text.hasPrefix("<!doctype html>"))
    #expect(text.contains("a series"))
  }

  @Test(
    arguments: [
      [], ["--format", "csv", "--history", "x"], ["--format", "pdf", "x"], ["--no-such", "x"],
    ])
  func `wrong usage is refused`(arguments: [String]) {
    #expect(throws: (any Error).self) { try ReportCommand.parse(arguments) }
  }
}
