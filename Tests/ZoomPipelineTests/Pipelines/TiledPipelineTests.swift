import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct TiledPipelineTests {
  private let side = TiledPipeline.tileSide

  @Test func `its work is the tiles touched, with the bytes that the TIFF gives each`()
    async throws
  {
    let path = try await CorpusPictures.file("forest")
    let pipeline = TiledPipeline()
    let source = try pipeline.open(path)
    let tiff = try #require(pipeline.preparedFile(for: path))
    let layout = try #require(try TIFFTileLayout.read(tiff))
    // 1600 / 256 and 1200 / 256, rounded up.
    #expect((layout.tilesPerRow, layout.tileRows) == (7, 5))
    for region in try [
      (0, 0, 1, 1), (255, 255, 1, 1), (255, 255, 2, 2), (256, 256, 256, 256), (200, 300, 400, 100),
      (0, 0, 1600, 1200), (1599, 1199, 1, 1), (0, 700, 1600, 1),
    ].map({ try PixelRegion(x: $0.0, y: $0.1, width: $0.2, height: $0.3) }) {
      var tiles = 0
      var bytes = 0
      for row in 0..<5 {
        for column in 0..<7 {
          let tile = try PixelRegion(x: column * side, y: row * side, width: side, height: side)
          guard tile.intersection(region) != nil else { continue }
          tiles += 1
          bytes += layout.byteCounts[row * 7 + column]
        }
      }
      let work = try source.read(RegionRequest(region)).work
      #expect(
        work
          == Work(
            bytesRead: bytes, unitsDecoded: tiles, unit: .tile, pixelsDecoded: tiles * side * side,
            pixelsDelivered: region.area), "\(region)")
    }
    #expect(layout.byteCounts.reduce(0, +) < (try FileVersion(of: tiff).length))
  }

  @Test func `a picture is converted once, and again when its file is another one`() throws {
    let folder = try TestFolder()
    let pipeline = TiledPipeline()
    let path = try folder.write(try JPEGBytes.small().bytes, as: "a.jpg")
    let first = try #require(try pipeline.prepare(path))
    let made = try #require(pipeline.preparedFile(for: path))
    #expect(try FileVersion(of: made).length == first.byteCount)
    let identity = try FileVersion(of: made)
    #expect(try pipeline.prepare(path) == first)
    _ = try pipeline.open(path)
    #expect(try FileVersion(of: made) == identity, "made a second time")
    try folder.write(try JPEGBytes.small(99, 77).bytes, as: "a.jpg")
    #expect(pipeline.preparedFile(for: path) == nil)
    #expect(try pipeline.open(path).size == PixelSize(width: 99, height: 77))
    #expect(pipeline.preparedFile(for: path) != made)
  }

  @Test func `a tiled TIFF is read as it is`() async throws {
    let path = try await CorpusPictures.file("tiff-tiled")
    let pipeline = TiledPipeline()
    #expect(try pipeline.prepare(path) == nil)
    let source = try pipeline.open(path)
    #expect(pipeline.preparedFile(for: path) == nil)
    let region = try PixelRegion(x: 127, y: 127, width: 2, height: 2)
    #expect(try source.read(RegionRequest(region)).work.unitsDecoded == 4)
  }

  @Test func `its files go with it, and when told to`() throws {
    let folder = try TestFolder()
    let path = try folder.write(try JPEGBytes.small().bytes, as: "a.jpg")
    var made: [FilePath] = []
    do {
      let pipeline = TiledPipeline()
      _ = try pipeline.prepare(path)
      let first = try #require(pipeline.preparedFile(for: path))
      made.append(first)
      pipeline.removeFiles()
      #expect(throws: PipelineError.self) { try FileVersion(of: first) }
      #expect(pipeline.preparedFile(for: path) == nil)
      pipeline.removeFiles()
      _ = try pipeline.prepare(path)
      made.append(try #require(pipeline.preparedFile(for: path)))
      _ = try FileVersion(of: made[1])
    }
    for file in made {
      let error = #expect(throws: PipelineError.self) { try FileVersion(of: file) }
      #expect(error?.code == .noSuchFile)
    }
  }

  @Test func `a picture that cannot be decoded is named, not the TIFF that was to be made`()
    throws
  {
    let folder = try TestFolder()
    let jpeg = try JPEGBytes.small()
    let path = try folder.write(Array(jpeg.bytes.prefix(jpeg.codedStart + 900)), as: "cut.jpg")
    let error = #expect(throws: PipelineError.self) { try TiledPipeline().open(path) }
    #expect(error?.code == .damaged)
    #expect(error?.file == path)
  }

  @Test func `assessing makes nothing`() async throws {
    let path = try await CorpusPictures.file("grey")
    let pipeline = TiledPipeline()
    #expect(!(try pipeline.assess(path)).isEmpty)
    #expect(pipeline.preparedFile(for: path) == nil)
  }
}
