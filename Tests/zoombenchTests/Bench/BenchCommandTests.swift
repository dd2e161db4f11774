import Foundation
import Measurement
import Testing
import ZoomPipeline

@testable import zoombench

@Suite struct BenchCommandTests {
  private let tiny = ["--rounds", "2", "--sources", "naive,partial", "--quiet"]

  private func bench(_ more: [String], in folder: TestFolder) async throws -> CommandRun {
    try await folder.place("jpeg-444", as: "a.jpg")
    return try await folder.zoombench(["a.jpg"] + tiny + more)
  }

  @Test func `a run ends with code 0 and a table, and leaves no file`() async throws {
    let folder = try TestFolder()
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

  @Test func `sources that convert colours are compared with a naive one that does, without floor`()
    async throws
  {
    let folder = try TestFolder()
    let run = try await bench(["--colour", "p3"], in: folder)
    #expect(run.code == 0)
    #expect(run.output.contains("All 8 answers agree") && !run.output.contains("floor"))
    let recorded = try await bench(["--colour", "srgb", "--record"], in: folder)
    #expect(recorded.code == 64)
  }

  @Test func `every source runs by default and leaves no file`() async throws {
    let folder = try TestFolder()
    try await folder.place("orientation-6", as: "a.jpg")
    let run = try await folder.zoombench("a.jpg", "--rounds", "1", "--format", "json")
    #expect(run.code == 0)
    #expect(
      Set(try run.result().rows.compactMap(\.contender))
        == Set(BenchPlan.standardSources))
    #expect(try folder.names() == ["work/a.jpg"])
  }

  @Test func `JSON keeps every sample with machine, versions and command`() async throws {
    let run = try await bench(["--format", "json", "--seed", "5"], in: TestFolder())
    #expect(run.code == 0)
    let result = try run.result()
    #expect(
      result.command == ["zoombench", "a.jpg"] + tiny + ["--format", "json", "--seed", "5"])
    #expect(result.seed == 5)
    #expect(result.tool == "zoombench \(ToolVersion.number)")
    #expect(result.environment.libvips?.isEmpty == false)
    #expect(result.environment.machine.buildConfiguration != nil)
    #expect(result.environment.machine.swiftVersion != nil)
    #expect(result.pictures.map(\.name) == ["a.jpg"])
    #expect(result.pictures.first?.width == 613)
    #expect(result.groups.count == 4)
    for (name, group) in result.groups {
      #expect(group.regions.count == 2)
      let isWarm = group.state == .warm
      let rows = result.rows.filter { $0.group == name }
      #expect(rows.map(\.contender) == ["naive", "partial"] + (isWarm ? ["floor"] : []))
      for row in rows {
        #expect((row.figures.timesFloor != nil) == isWarm)
        #expect(row.wall.map(\.count) == [2] && row.cpu.map(\.count) == [2])
        #expect(row.wall.joined().allSatisfy { $0 > 0 })
        #expect(row.figures.agreed == 2)
        if row.contender == "floor" { continue }
        // Opening and decoding the picture take more than a megabyte in any process.
        #expect(try #require(row.figures.memory) > 1e6)
      }
    }
  }

  @Test func `corpus pictures are made where they are missing`() async throws {
    let folder = try TestFolder()
    let run = try await folder.zoombench(
      tiny + ["--pictures", "tiny-17x3,tiny-1x1", "--corpus-folder", "corpus"])
    #expect(run.code == 0)
    #expect(run.output.contains("tiny-17x3:"))
    #expect(run.output.contains("tiny-1x1:"))
    let names = try folder.names()
    #expect(names.contains("work/corpus/tiny-17x3.jpg"))
    #expect(names.contains("work/corpus/tiny-1x1.jpg"))
  }

  @Test func `the quick plan has one kind of peek`() async throws {
    let folder = try TestFolder()
    try await folder.place("tiny-17x3", as: "a.jpg")
    let run = try await folder.zoombench("a.jpg", "--quick", "--rounds", "1", "--format", "json")
    #expect(
      Set(try run.result().groups.keys) == ["a.jpg/375x375/cold", "a.jpg/375x375/warm"])
  }

  @Test func `each launch has processes and rounds of its own, which the history keeps`()
    async throws
  {
    let folder = try TestFolder()
    let run = try await bench(
      [
        "--format", "json", "--launches", "3", "--record", "--commit", "v1", "--history", "h",
      ], in: folder)
    #expect(run.code == 0)
    let result = try run.result()
    for row in result.rows { #expect(row.launches == [2, 2, 2]) }
    #expect(result.groups.values.contains { Set($0.regions).count > 2 })
    let series = try await folder.zoombench("history", "list", "--history", "h")
    #expect(series.code == 0 && series.output.contains("v1"))
  }

  @Test func `a program with other pixels is a finding, and does not affect the others`()
    async throws
  {
    let folder = try TestFolder()
    let black = "'\(try TestFolder.executable())' \(NullWorkerCommand.name) 613 457"
    let run = try await bench(
      ["--format", "json", "--quick", "--pipeline", "black=worker:\(black)"], in: folder)
    #expect(run.code == 1)
    let result = try run.result()
    func words(_ contender: String) -> Set<Word> {
      Set(result.rows.filter { $0.contender == contender }.map(\.verdict.word))
    }
    #expect(words("black") == [.pixelsDiffer] && words("partial") == [.agrees])
    // A program that does nothing measures the cost of a request, and is not judged.
    #expect(words("nothing (worker)") == [.inexact])
    let answers = try #require(result.rows.first { $0.contender == "black" }?.bench)
    #expect(answers.differing == 2)
    #expect(answers.alike?.firstDifference?.hasPrefix("region ") == true)
  }

  @Test func `a source that runs out of memory is skipped, with the reason`() async throws {
    let folder = try TestFolder()
    // One raster of 840,423 bytes fits, for naive.
    try await folder.place("png", as: "a.png")
    let run = try await folder.zoombench(
      "a.png", "--rounds", "1", "--sources", "resident", "--memory", "1", "--quiet")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("resident cannot read it: "))
  }

  @Test func `many pictures are summarised, and a damaged one does not affect the others`()
    async throws
  {
    let folder = try TestFolder()
    for number in 1...5 { try await folder.place("tiny-17x3", as: "album/\(number).jpg") }
    try await folder.place("jpeg-444", as: "album/cut.jpg")
    try folder.write(try folder.bytes(of: "album/cut.jpg").prefix(20_000), to: "album/cut.jpg")
    let run = try await folder.zoombench(["album"] + tiny)
    #expect(run.code == 65)
    #expect(run.output.contains("Not measured: album/cut.jpg"), "\(run.output)")
    let lines = run.output.split(separator: "\n").filter { $0.contains("  partial  ") }
    #expect(lines.count == 1 && lines[0].contains(#/ 5 .* best +0 +0$/#), "\(run.output)")
  }

  @Test func `without time nothing is measured, and the reason is given`() async throws {
    let folder = try TestFolder()
    try await folder.place("tiny-17x3", as: "a.jpg")
    let run = try await folder.zoombench("a.jpg", "--budget", "0.01s", "--quiet")
    #expect(run.code == 65 && run.output.isEmpty)
    #expect(run.errors.contains("a.jpg: no time was left"))
  }
}
