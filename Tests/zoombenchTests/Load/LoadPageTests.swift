import Foundation
import Measurement
import SystemPackage
import Testing
import ZoomLoad

@testable import zoombench

/// The scripts that load servers and make Documentation/LoadTable.md of results.
@Suite(.enabled(if: ConformanceScript.hasPython)) struct LoadPageTests {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../ci/load-page").standardizedFileURL.path

  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func page(_ arguments: String...) async throws -> String {
    let run = try await ConformanceScript.python([Self.script] + arguments, in: folder)
    #expect(run.code == 0, "\(run.errors)")
    return run.output
  }

  private func write(_ run: LoadRun, as name: String) throws {
    try folder.write(Output.json(LoadResultTests.result(of: run)).utf8, to: name)
  }

  /// Returns a run beside a server of 7 MB, whose CPU time cannot be read.
  private static func run(isRight: Bool = true, lateness: UInt64) throws -> LoadRun {
    var run = try LoadResultTests.run(isRight: isRight, lateness: lateness, server: .max)
    run.read = { process, _, _ in ["memory": process == nil ? 9_000_000 : 7_000_000] }
    return run
  }

  /// Writes a result of one step for a server that is right or wrong.
  private func writeStep(_ name: String, isRight: Bool = true, lateness: UInt64 = 0) throws {
    var run = try Self.run(isRight: isRight, lateness: lateness)
    run.step("", rate: 20)
    try write(run, as: name)
  }

  /// Writes a result of a search that ends at eight views per second, or whose generator is late.
  private func writeSearch(_ name: String, lateness: UInt64 = 0) throws {
    var run = try Self.run(lateness: lateness)
    run.capacity(from: 4, most: 8, repetitions: 3)
    try write(run, as: name)
  }

  @Test func `the questions of the script that loads servers are answered`() async throws {
    try writeStep("right.json")
    try writeStep("late.json", lateness: 500_000_000)
    try writeStep("wrong.json", isRight: false)
    #expect(try await page("holds", "right.json") == "yes\n")
    #expect(try await page("holds", "late.json") == "no\n")
    #expect(try await page("right", "right.json") == "yes\n")
    #expect(try await page("right", "wrong.json") == "no\n")
    try writeSearch("search.json")
    #expect(try await page("half", "search.json") == "4.00\n")
    try writeSearch("search.json", lateness: 500_000_000)
    #expect(try await page("half", "search.json") == "\n")
    // A file that cannot be read is neither.
    let run = try await ConformanceScript.python([Self.script, "holds", "none.json"], in: folder)
    #expect(run.code == 1 && run.output.isEmpty)
  }

  @Test(arguments: [
    ("0.00", "0.10", true), ("6.00", "0.10", false), ("0.00", "1.10", false), (nil, "0.10", true),
    (nil, "1.10", false),
  ])
  func `nothing is measured while other work takes processors`(
    _ waiting: String?, _ average: String, _ isIdle: Bool
  ) async throws {
    if let waiting {
      try folder.write(
        "some avg10=\(waiting) avg60=9.00\nfull avg10=9.00\n".utf8, to: "pressure/cpu")
    }
    try folder.write("\(average) 9.00 9.00 1/200 1234\n".utf8, to: "loadavg")
    let scripts = URL(filePath: Self.script).deletingLastPathComponent().path
    let run = try await CommandRun.of(
      WorkerCommand(
        label: "bash", executable: "/usr/bin/env",
        arguments: [
          "bash", "-c", #"set -euo pipefail; . "$0/setup"; . "$0/peer-servers"; check_idle "$1""#,
          scripts, folder.path.string,
        ]))
    #expect(run.code == (isIdle ? 0 : 69), "\(run.errors)")
    #expect(run.errors.contains("--anyway") == !isIdle)
  }

  @Test func `figures are noted, and an unknown capacity has no rank`() async throws {
    for (name, lateness) in [("static_tiles", UInt64(0)), ("titiler_image", 500_000_000)] {
      try writeStep("\(name).alone.json", isRight: lateness > 0)
      try writeSearch("\(name).json", lateness: lateness)
      try folder.write("nginx\n".utf8, to: "\(name).process")
    }
    _ = try await page("full", "days.json", ".", "static_tiles", "titiler_image", "thumbor")
    let text = try await page("page", "days.json")
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| nginx") }
    #expect(rows.count == 2 && rows[0].contains("| at least 8"), "\(text)")
    // The memory of the server, the name of its process, and the lowest rate with a wrong answer.
    #expect(rows[0].contains("| 7 | nginx |") && rows[0].hasSuffix("| 20 views/s |"), "\(text)")
    #expect(rows[1].contains("8, rank 1 of 2"), "\(text)")
    let unknown = text.split(separator: "\n").filter { $0.hasPrefix("| titiler") }
    #expect(unknown.count == 2 && unknown[0].contains("unknown: the generator was late"))
    #expect(unknown[1].contains("| unknown |"), "\(text)")
  }

  /// Writes a result of one viewer who waits for each view, with times of requests that leave too few views for a p95.
  private func writeAlone(_ name: String, milliseconds: UInt64, day: String = "2027-01-15") throws {
    var run = try LoadResultTests.run(milliseconds: milliseconds, server: .max)
    run.step("closed", rate: nil, viewers: 1)
    let text = try Output.json(LoadResultTests.result(of: run))
    try folder.write(
      text.replacing("2027-01-15", with: day).utf8, to: "\(name).alone.json")
  }

  @Test func `of servers with too few views, only those that mostly take a second carry none`()
    async throws
  {
    try writeAlone("thumbor", milliseconds: 1500)
    try writeAlone("flask_iiif", milliseconds: 400)
    _ = try await page("full", "days.json", ".", "thumbor", "flask_iiif")
    let text = try await page("page", "days.json")
    #expect(text.contains("| thumbor, PNG of parts at full size, JPEG file | 0, rank 1 of 2 |"))
    #expect(text.contains("| unknown: too few views"), "\(text)")
  }

  @Test func `a day with one server hides neither the table of another day nor its ranks`()
    async throws
  {
    for name in ["thumbor", "flask_iiif"] { try writeAlone(name, milliseconds: 1500) }
    _ = try await page("full", "days.json", ".", "thumbor", "flask_iiif")
    try writeAlone("thumbor", milliseconds: 1500, day: "2027-01-16")
    _ = try await page("full", "days.json", ".", "thumbor")
    let text = try await page("page", "days.json")
    #expect(text.contains("Measured on 2027-01-15"), "\(text)")
    #expect(text.contains("| 0, rank 1 of 2 | 0, rank 1 of 1 |"), "\(text)")
    #expect(text.contains("No two servers were measured on each"), "\(text)")
  }

  @Test func `ranks hold if they are equal on all days, and otherwise the servers are named`()
    async throws
  {
    try writeSearch("static_tiles.json")
    for (day, milliseconds) in [("2027-01-15", UInt64(1500)), ("2027-01-16", 1500)] {
      try writeAlone("thumbor", milliseconds: milliseconds, day: day)
      try writeAlone("static_tiles", milliseconds: 5, day: day)
      _ = try await page("full", "days.json", ".", "static_tiles", "thumbor")
    }
    let same = try await page("page", "days.json")
    #expect(same.contains("have the same ranks on all"), "\(same)")
    try writeSearch("thumbor.json")
    try FileManager.default.removeItem(atPath: folder.file("static_tiles.json").string)
    try writeAlone("static_tiles", milliseconds: 1500, day: "2027-01-17")
    try writeAlone("thumbor", milliseconds: 5, day: "2027-01-17")
    _ = try await page("full", "days.json", ".", "static_tiles", "thumbor")
    let other = try await page("page", "days.json")
    #expect(other.contains("Ranks differ between days for nginx"), "\(other)")
  }

  @Test func `times of requests are compared with those of another generator`() async throws {
    try writeStep("against-static-1.json")
    let lines = (0..<100).map { "\($0)\t200\t2500" }
    try folder.write(lines.joined(separator: "\n").utf8, to: "against-static-1.tsv")
    _ = try await page("against", "days.json", ".")
    let text = try await page("page", "days.json")
    #expect(text.contains("| 20 | p50 | 5 | 2.5 | 2.00 |"), "\(text)")
  }
}
