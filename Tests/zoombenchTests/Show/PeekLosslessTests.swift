import SystemPackage
import Testing
import ZoomGeometry
import ZoomPipeline

@Suite struct PeekLosslessTests {
  private let touch = ViewPoint(x: 120, y: 160)

  /// Parses the line on stderr: where the peek begins in the written file, and its size.
  private func place(in line: String) throws -> (x: Int, y: Int, width: Int, height: Int) {
    let found = try #require(
      line.firstMatch(of: /begins at (\d+),(\d+) and is (\d+)x(\d+) of its (\d+)x(\d+) pixels/))
    let numbers = [
      found.output.1, found.output.2, found.output.3, found.output.4,
    ].compactMap { Int($0) }
    return (numbers[0], numbers[1], numbers[2], numbers[3])
  }

  private func write(_ picture: String, _ more: [String] = [], in folder: TestFolder)
    async throws -> CommandRun
  {
    try await folder.place(picture, as: "picture")
    return try await folder.zoombench(
      ["peek", "picture", "--touch", "120,160", "--viewport", "200x300", "--lossless", "-o"]
        + ["out.jpg"] + more)
  }

  /// `jpeg-444` needs no margin, the others have subsampled chroma; the touch is near an edge.
  @Test(arguments: ["jpeg-444", "jpeg-restart-part", "grey", "cmyk", "forest", "jpeg-profile"])
  func `the reported place holds exactly the pixels of the peek`(picture: String) async throws {
    try await TestFolder.with { folder in
      let run = try await write(picture, in: folder)
      #expect(run.code == 0)
      #expect(run.errorLines.count == 1)
      #expect(run.errors.hasPrefix("zoombench: out.jpg: "))
      #expect(try folder.names() == ["work/out.jpg", "work/picture"])
      let source = try NaivePipeline().open(folder.file("picture"))
      let setup = try PeekSetup(picture: source.size, viewport: ViewSize(width: 200, height: 300))
      let region = try #require(try setup.peek(at: touch)).region
      let place = try place(in: run.errors)
      let part = try PixelRegion(x: place.x, y: place.y, width: place.width, height: place.height)
      let written = try NaivePipeline().open(folder.file("out.jpg"))
      let isEqual =
        try written.read(RegionRequest(part)).pixels
        == source.read(RegionRequest(region)).pixels
      #expect(isEqual)
      let profiles = try ["out.jpg", "picture"].map { try Picture(folder.file($0)).iccProfile() }
      #expect(profiles[0] == profiles[1])
      // The file is compressed, and has only the MCUs at the peek's border in addition.
      #expect(written.size.width <= region.width + 64 && written.size.height <= region.height + 64)
      #expect(run.output.contains("\(region)"))
    }
  }

  @Test func `the orientation is kept, and the place is in the stored picture`() async throws {
    try await TestFolder.with { folder in
      let run = try await write("orientation-6", in: folder)
      #expect(run.code == 0)
      #expect(run.errors.contains("as stored: orientation 6"))
      let place = try place(in: run.errors)
      let written = try Picture(folder.file("out.jpg"))
      #expect(written.orientation == .right)
      #expect(place.x + place.width <= written.storedSize.width)
      #expect(place.y + place.height <= written.storedSize.height)
    }
  }

  @Test func `a picture whose parts cannot be cut out is refused, and nothing is written`()
    async throws
  {
    for picture in ["png", "petronas-progressive"] {
      try await TestFolder.with { folder in
        let run = try await write(picture, in: folder)
        #expect(run.code == 65)
        #expect(run.errorLines.count == 1)
        #expect(run.errors.hasPrefix("zoombench: picture: "))
        #expect(run.output.isEmpty)
        #expect(try folder.names() == ["work/picture"])
      }
    }
  }
}
