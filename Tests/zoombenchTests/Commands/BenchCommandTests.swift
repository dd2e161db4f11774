import Foundation
import Measurement
import Testing
import ZoomPipeline

@testable import zoombench

@Suite struct BenchCommandTests {
  private let tiny = ["--rounds", "2", "--sources", "naive,partial", "--quiet"]

  private func bench(
    _ more: [String], in folder: TestFolder, picture: String = "jpeg-444"
  ) async throws -> CommandRun {
    try await folder.place(picture, as: "a.jpg")
    return try await folder.zoombench(["a.jpg"] + tiny + more)
  }

  private func report(_ more: [String] = []) async throws -> BenchReport {
    try await TestFolder.with { folder in
      let run = try await bench(["--format", "json"] + more, in: folder)
      #expect(run.code == 0)
      return try JSONDecoder().decode(BenchReport.self, from: Data(run.output.utf8))
    }
  }

  @Test func `a run ends well, with a table, and leaves nothing behind`() async throws {
    try await TestFolder.with { folder in
      let run = try await bench([], in: folder)
      #expect(run.code == 0)
      #expect(run.errors.isEmpty)
      // Two rounds of two kinds of peek, cold and warm, with one other source, and the floor when warm.
      let last = try #require(run.output.components(separatedBy: "\n\n").last)
      #expect(last.hasPrefix("All 12 answers agree"))
      let sources = run.output.split(separator: "\n").compactMap { $0.split(separator: " ").first }
      #expect(sources.filter { $0 == "naive" }.count == 4)
      // A line also says how it reads the picture.
      #expect(sources.filter { $0 == "partial" }.count == 5)
      #expect(sources.filter { $0 == "floor" }.count == 2)
      #expect(try folder.names() == ["work/a.jpg"])
    }
  }

  @Test func `a debug build says that its times are not comparable`() async throws {
    try await TestFolder.with { folder in
      let run = try await bench([], in: folder)
      // The command's own build: tests may be built without optimisation while the command is not.
      let isDebug = MachineDescription.current().buildConfiguration == .debug
      #expect(run.output.contains("DEBUG") == isDebug)
    }
  }

  @Test func `every source runs by default, with its files removed at the end`() async throws {
    try await TestFolder.with { folder in
      try await folder.place("orientation-6", as: "a.jpg")
      let run = try await folder.zoombench("a.jpg", "--rounds", "1", "--format", "csv")
      #expect(run.code == 0)
      let rows = try CSVParser.rows(run.output)
      let column = try #require(rows.first?.firstIndex(of: "source"))
      #expect(Set(rows.dropFirst().map { $0[column] }) == Set(BenchPlan.standardSources))
      #expect(try folder.names() == ["work/a.jpg"])
    }
  }

  @Test func `JSON keeps every sample with machine, versions and command`() async throws {
    let report = try await report(["--seed", "5"])
    #expect(report.schema == BenchReport.currentSchema)
    #expect(
      report.command == ["zoombench", "a.jpg"] + tiny + ["--format", "json", "--seed", "5"])
    #expect(report.seed == 5)
    #expect(report.environment.zoombench == ToolVersion.number)
    #expect(!report.environment.libvips.isEmpty)
    #expect(report.environment.machine.buildConfiguration != nil)
    #expect(report.environment.machine.swiftVersion != nil)
    #expect(report.pictures.map(\.name) == ["a.jpg"])
    #expect(report.pictures.first?.width == 613)
    #expect(report.groups.count == 4)
    for group in report.groups {
      #expect(group.rounds.count == 2)
      let isWarm = group.state == .warm
      #expect(group.arms.map(\.source) == ["naive", "partial"] + (isWarm ? ["floor"] : []))
      for arm in group.arms {
        #expect((group.timesFloor(of: arm) != nil) == isWarm)
        #expect(arm.wallNanoseconds.count == 2)
        #expect(arm.wallNanoseconds.allSatisfy { $0 > 0 })
        #expect(arm.cpuNanoseconds.count == 2)
        #expect(arm.agreed == 2)
        if arm.source == "floor" { continue }
        // Opening and decoding the picture take more than a megabyte in any process.
        #expect(try #require(arm.peakMemoryBytes) > 1 << 20)
      }
    }
  }

  @Test func `two runs with one seed show the same pixels, another seed shows others`() async throws
  {
    func digests(_ report: BenchReport) -> [String] {
      report.groups.flatMap(\.rounds).map(\.digest.rawValue)
    }
    let first = digests(try await report(["--seed", "3"]))
    #expect(first.count == 8)
    #expect(first == digests(try await report(["--seed", "3"])))
    #expect(first != digests(try await report(["--seed", "4"])))
  }

  @Test func `CSV has a row for each picture, peek, state and source`() async throws {
    try await TestFolder.with { folder in
      let run = try await bench(["--format", "csv"], in: folder)
      let rows = try CSVParser.rows(run.output)
      #expect(rows.count == 1 + 8 + 2)
      #expect(Set(rows.map(\.count)).count == 1)
    }
  }

  @Test func `markdown has a table for each peek and state`() async throws {
    try await TestFolder.with { folder in
      let run = try await bench(["--format", "markdown"], in: folder)
      let rows = run.output.split(separator: "\n").filter { $0.hasPrefix("|") }
      // Titles, alignment and two sources, four times, and the floor when warm.
      #expect(rows.count == 18)
      #expect(run.output.contains("All 12 answers agree"))
    }
  }

  @Test(arguments: ["table", "json", "csv", "markdown"])
  func `a result in a file is whole, and stdout stays empty`(format: String) async throws {
    try await TestFolder.with { folder in
      let run = try await bench(["--format", format, "-o", "out"], in: folder)
      #expect(run.code == 0)
      #expect(run.output.isEmpty)
      #expect(run.errors.isEmpty)
      #expect(try folder.names() == ["work/a.jpg", "work/out"])
      #expect(try folder.bytes(of: "out").last == UInt8(ascii: "\n"))
    }
  }

  @Test func `a heat map is written beside the result, which stays as it is`() async throws {
    try await TestFolder.with { folder in
      let run = try await bench(["--heat-map", "map.svg"], in: folder)
      #expect(run.code == 0)
      #expect(run.output.contains("All 12 answers agree"))
      #expect(try folder.names() == ["work/a.jpg", "work/map.svg"])
      let text = String(decoding: try folder.bytes(of: "map.svg"), as: UTF8.self)
      // Ten maps, four legends and the sheet; one picture gets no chart of sizes.
      #expect(try XMLElements.counts(in: text)["svg"] == 15)
    }
  }

  @Test func `corpus pictures are made where they are missing`() async throws {
    try await TestFolder.with { folder in
      let run = try await folder.zoombench(
        tiny + ["--pictures", "tiny-17x3,tiny-1x1", "--corpus-folder", "corpus"])
      #expect(run.code == 0)
      #expect(run.output.contains("tiny-17x3:"))
      #expect(run.output.contains("tiny-1x1:"))
      let names = try folder.names()
      #expect(names.contains("work/corpus/tiny-17x3.jpg"))
      #expect(names.contains("work/corpus/tiny-1x1.jpg"))
    }
  }

  @Test func `the quick plan has one kind of peek`() async throws {
    try await TestFolder.with { folder in
      try await folder.place("tiny-17x3", as: "a.jpg")
      let run = try await folder.zoombench("a.jpg", "--quick", "--rounds", "1", "--format", "csv")
      let rows = try CSVParser.rows(run.output)
      let column = try #require(rows.first?.firstIndex(of: "peek_scale"))
      #expect(Set(rows.dropFirst().map { $0[column] }) == ["1"])
    }
  }
}
