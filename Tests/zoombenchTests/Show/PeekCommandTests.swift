import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@Suite struct PeekCommandTests {
  private let viewport = ViewSize(width: 200, height: 300)

  /// Writes a peek and reads the whole file back.
  private func peek(
    _ picture: String, at touch: ViewPoint, _ more: [String] = [], in folder: TestFolder
  ) async throws -> (run: CommandRun, shown: Pixels) {
    try await folder.place(picture, as: "picture")
    let run = try await folder.zoombench(
      ["peek", "picture", "--touch=\(touch.x),\(touch.y)", "-o", "out.png"]
        + (more.contains("--viewport") ? [] : ["--viewport", "200x300"]) + more)
    #expect(run.code == 0)
    #expect(run.errors.isEmpty)
    #expect(try folder.names() == ["work/out.png", "work/picture"])
    return (run, try whole(folder.file("out.png")))
  }

  private func whole(_ path: FilePath) throws -> Pixels {
    try read(path, PixelRegion(whole: Picture(path).size))
  }

  private func read(_ path: FilePath, _ region: PixelRegion) throws -> Pixels {
    try NaivePipeline().open(path).read(RegionRequest(region)).pixels
  }

  @Test(arguments: ["jpeg-444", "orientation-6", "png-alpha", "png-16", "grey"])
  func `the file holds exactly the pixels of the region`(picture: String) async throws {
    let folder = try TestFolder()
    let touch = ViewPoint(x: 120, y: 160)
    let (run, shown) = try await peek(picture, at: touch, in: folder)
    let path = folder.file("picture")
    let setup = try PeekSetup(picture: Picture(path).size, viewport: viewport)
    let region = try #require(try setup.peek(at: touch)).region
    #expect(shown.size == region.size)
    #expect(try shown == read(path, region))
    #expect(run.output.contains("\(region)"))
    #expect(run.output.contains(" ms"))
  }

  @Test func `scale and side decide how much is shown`() async throws {
    let folder = try TestFolder()
    let (_, shown) = try await peek(
      "jpeg-444", at: ViewPoint(x: 100, y: 150), ["--viewport", "200x300@2", "--side", "60"],
      in: folder)
    #expect(try shown.size == PixelSize(width: 120, height: 120))
  }

  @Test func `a reduced peek shows the file's reduced copy, or means`() async throws {
    let folder = try TestFolder()
    let pixels = try Pixels.noise(800, 600)
    // The peek is 400 pixels wide and high, around the centre.
    let blocks = try PixelRegion(x: 192, y: 96, width: 416, height: 416)
    let request = RegionRequest(
      blocks, reduction: try #require(Reduction(rawValue: 16)), usesStoredLevels: true)
    for (name, isPyramid) in [("deep.tif", true), ("flat.tif", false)] {
      let path = folder.file(name)
      let more = isPyramid ? ",pyramid" : ""
      try Image(pixels).write(
        to: path, settings: "[compression=deflate,tile,tile-width=16,tile-height=16\(more)]")
      let run = try await folder.zoombench(
        "peek", name, "--touch", "100,150", "--viewport", "200x300@2", "--reduce", "16", "-o",
        "out.png")
      #expect(run.code == 0)
      let answer = try RandomPipeline().open(path).read(request)
      #expect(answer.resampling == (isPyramid ? .stored : .blockMean))
      #expect(try whole(folder.file("out.png")).difference(from: answer.pixels) == nil)
      let method = isPyramid ? "stored" : "blockMean"
      #expect(run.output.contains("reduced   \(blocks) by 16: \(method)"))
    }
  }

  @Test func `a source that cannot read the picture says so`() async throws {
    let folder = try TestFolder()
    try await folder.place("png-interlaced", as: "a.png")
    let run = try await folder.zoombench(
      "peek", "a.png", "--touch", "9,9", "--viewport", "20x30", "-o", "out.png", "--source",
      "partial")
    #expect(run.code == 65)
    #expect(run.errorLines.count == 1)
    #expect(run.errors.contains("a.png"))
    #expect(try folder.names() == ["work/a.png"])
  }

  @Test func `a touch beside the picture is clamped, or rejected without a file`() async throws {
    let folder = try TestFolder()
    let beside = ViewPoint(x: 100, y: 10)
    let (_, shown) = try await peek("jpeg-444", at: beside, in: folder)
    let top = try PixelRegion(x: 206, y: 0, width: 200, height: 200)
    #expect(shown.size == top.size)
    let rejected = try await folder.zoombench(
      "peek", "picture", "--touch", "100,10", "--viewport", "200x300", "--letterbox", "reject",
      "-o", "none.png")
    #expect(rejected.code == 1)
    #expect(rejected.errorLines.count == 1)
    #expect(rejected.errors.hasPrefix("zoombench: picture: "))
    #expect(rejected.output.isEmpty)
    #expect(try folder.names() == ["work/out.png", "work/picture"])
  }

  @Test func `a CMYK picture is written in sRGB, and a profile is kept`() async throws {
    let folder = try TestFolder()
    let centre = ViewPoint(x: 100, y: 150)
    let (_, shown) = try await peek("cmyk", at: centre, in: folder)
    #expect(shown.interpretation == .srgb)
    #expect(shown.bands == 3)
    _ = try await peek("jpeg-profile", at: centre, in: folder)
    let profile = try Picture(folder.file("picture")).iccProfile()
    #expect(profile?.isEmpty == false)
    #expect(try Picture(folder.file("out.png")).iccProfile() == profile)
  }

  @Test func `a converted peek has the profile of its pixels, also in CMYK and 16 bits`()
    async throws
  {
    let folder = try TestFolder()
    let touch = ViewPoint(x: 120, y: 160)
    for name in ["jpeg-profile", "cmyk", "png-16", "orientation-6"] {
      let (run, shown) = try await peek(name, at: touch, ["--colour", "p3"], in: folder)
      #expect(run.output.contains("then converts to Display P3"))
      #expect(try Picture(folder.file("out.png")).iccProfile() == ColourTarget.p3.profile())
      let path = folder.file("picture")
      let region = try #require(
        try PeekSetup(picture: Picture(path).size, viewport: viewport).peek(at: touch)
      ).region
      let managed = NaivePipeline().converting(to: .p3)
      let whole = try managed.open(path).read(RegionRequest(PixelRegion(whole: Picture(path).size)))
      #expect(shown == whole.pixels.cut(region), "\(name)")
    }
    let refused = try await folder.zoombench(
      "peek", "picture", "--touch", "9,9", "--viewport", "20x30", "-o", "out.png", "--colour",
      "srgb", "--pipeline", "mine=command:cat {file}")
    #expect(refused.code == 64)
    #expect(refused.errors.contains("the colours of mine are as-stored"))
  }
}
