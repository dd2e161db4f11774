import Foundation
import SystemPackage
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import zoombench

@Suite struct ReplayCommandTests {
  /// Two presses, one of them cancelled, on a small screen that a debug build draws quickly.
  private static let script = """
    {"zoombench-gestures": 1, "screen": {"width": 40, "height": 60}, "maximumForce": 1, "events": [
      {"time": 0, "phase": "began", "touches": [{"id": 1, "x": 20, "y": 30, "force": 0.5}]},
      {"time": 0.1, "phase": "ended", "touches": [{"id": 1, "x": 20, "y": 30}]},
      {"time": 0.2, "phase": "began", "touches": [{"id": 2, "x": 1, "y": 29, "force": 0.1}]},
      {"time": 0.3, "phase": "cancelled", "touches": [{"id": 2, "x": 1, "y": 29}]}]}
    """

  private func replay(
    _ more: [String], in folder: TestFolder, script: String = Self.script
  ) async throws -> CommandRun {
    try await folder.place("jpeg-444", as: "a.jpg")
    try folder.write(script.utf8, to: "s.json")
    return try await folder.zoombench(["replay", "s.json", "a.jpg", "--system", "peek"] + more)
  }

  private func size(_ name: String, in folder: TestFolder) throws -> PixelSize {
    try Picture(folder.file(name)).size
  }

  private func report(_ name: String, in folder: TestFolder) throws -> ReplayReport {
    try JSONDecoder().decode(ReplayReport.self, from: Data(try folder.bytes(of: name)))
  }

  @Test(arguments: [false, true])
  func `a new or an empty folder gets every frame and the state table`(exists: Bool) async throws {
    let folder = try TestFolder()
    if exists {
      try FileManager.default.createDirectory(
        atPath: folder.file("out").string, withIntermediateDirectories: false)
    }
    let run = try await replay(["-o", "out"], in: folder)
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    let frames = (1...4).map { "work/out/frame-000\($0).png" }
    #expect(
      try folder.names()
        == ["work/a.jpg", "work/out"] + frames + ["work/out/states.json", "work/s.json"])
    let report = try report("out/states.json", in: folder)
    #expect(report.moments.map(\.file) == (1...4).map { "frame-000\($0).png" })
    #expect(report.moments.map { $0.rows.count } == [1, 1, 1, 1])
    #expect(report.moments[0].rows[0].state.events == [.peek])
    #expect(report.moments[0].rows[0].frame?.layers.map(\.drawn) == ["bilinear", "exact"])
    #expect(try size("out/frame-0001.png", in: folder) == PixelSize(width: 40, height: 60))
  }

  /// A screen of 2400x3600 pixels, and one whose frames are 160x9600 on a contact sheet.
  @Test(
    arguments: [#""width": 40, "height": 60, "scale": 60"#, #""width": 1, "height": 60"#],
    ["out", "out.png", "out.webp"])
  func `a drawing beyond the budget is refused before it begins`(
    screen: String, output: String
  ) async throws {
    let width = output == "out.png" ? [] : ["--width", "160"]
    let folder = try TestFolder()
    let run = try await replay(
      ["-o", output, "--memory", "15"] + width, in: folder,
      script: Self.script.replacing(#""width": 40, "height": 60"#, with: screen))
    #expect(run.code == 65 && run.errorLines.count == 1)
    #expect(run.errors.contains("more than the budget of 15 MB"), "\(run.errors)")
    #expect(try folder.names() == ["work/a.jpg", "work/s.json"])
  }

  @Test func `a picture's suffix requests a contact sheet`() async throws {
    let folder = try TestFolder()
    let run = try await replay(
      [
        "-o", "sheet.png", "--width", "20", "--cells", "4", "--states", "states.json",
        "--original",
      ], in: folder)
    #expect(run.code == 0)
    // Three columns and two rows of 20x30, with gaps of 8 pixels.
    #expect(try size("sheet.png", in: folder) == PixelSize(width: 92, height: 84))
    let report = try report("states.json", in: folder)
    #expect(report.moments.count == 4)
    #expect(report.moments.allSatisfy { $0.rows.map(\.form) == [.original] })
    #expect(report.moments.allSatisfy { $0.rows[0].frame != nil })
  }

  @Test func `a comparison shows both forms and how much differs`() async throws {
    let folder = try TestFolder()
    let run = try await replay(["-o", "out", "--compare"], in: folder)
    #expect(run.code == 0)
    let report = try report("out/states.json", in: folder)
    // The published frame stays after a cancelled touch.
    #expect(report.moments[3].rows[0].state.previewFrame != nil)
    #expect(
      report.moments.map { $0.rows.map(\.form) }.allSatisfy { $0 == [.original, .corrected] })
    let shares = try report.moments.map { try #require($0.differingShare) }
    // With one point per pixel, both forms show the same in the middle of a square picture.
    #expect(shares[1] == 0)
    #expect(shares[3] > 0)
    #expect(try size("out/frame-0001.png", in: folder) == PixelSize(width: 152, height: 76))
  }

  @Test(arguments: ZoomSystem.allCases)
  func `every system plays its built-in script`(system: ZoomSystem) async throws {
    let folder = try TestFolder()
    try await folder.place("orientation-6", as: "a.jpg")
    let run = try await folder.zoombench(
      "replay", system.rawValue, "a.jpg", "--system", system.rawValue, "-o",
      "out.png", "--cells", "6", "--width", "40")
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    #expect(try folder.names() == ["work/a.jpg", "work/out.png"])
  }

  @Test(arguments: ["webp", "gif"])
  func `an animation has frames as large as the largest screen`(suffix: String) async throws {
    let folder = try TestFolder()
    let script = """
      {"zoombench-gestures": 1, "screen": {"width": 40, "height": 20}, "events": [
        {"time": 1, "screen": {"width": 20, "height": 50}}]}
      """
    let run = try await replay(["-o", "a.\(suffix)"], in: folder, script: script)
    #expect(run.code == 0)
    #expect(try size("a.\(suffix)", in: folder) == PixelSize(width: 40, height: 50))
    let head = try folder.bytes(of: "a.\(suffix)").prefix(4)
    #expect(Array(head) == Array((suffix == "gif" ? "GIF8" : "RIFF").utf8))
  }

  @Test func `a truncated picture or script exits with 65 and leaves nothing`() async throws {
    let folder = try TestFolder()
    try await folder.place("jpeg-444", as: "whole.jpg")
    let whole = try folder.bytes(of: "whole.jpg")
    try folder.write(whole.prefix(whole.count / 2), to: "cut.jpg")
    try folder.write("{".utf8, to: "cut.json")
    let before = try folder.names()
    for (script, picture, output) in [
      ("peek", "cut.jpg", "out"), ("peek", "cut.jpg", "out.png"), ("peek", "cut.jpg", "out.webp"),
      ("cut.json", "whole.jpg", "out"),
    ] {
      let run = try await folder.zoombench(
        "replay", script, picture, "--system", "peek", "-o", output)
      #expect(run.code == 65)
      #expect(run.errorLines.count == 1)
      #expect(try folder.names() == before)
    }
  }
}
