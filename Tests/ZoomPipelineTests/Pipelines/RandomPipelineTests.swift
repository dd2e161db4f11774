import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct RandomPipelineTests {
  private let request: RegionRequest

  init() throws {
    request = RegionRequest(try PixelRegion(x: 30, y: 40, width: 50, height: 20))
  }

  @Test(arguments: ["jpeg-440", "png", "webp", "orientation-3"])
  func `a format coded from the top is decoded once and kept`(_ name: String) async throws {
    let source = try #require(
      try RandomPipeline().open(try await CorpusPictures.file(name)) as? RandomSource)
    #expect(source.state == .nothing)
    let first = try source.read(request)
    #expect(first.work.pixelsDecoded == source.size.area)
    #expect(try #require(first.work.bytesRead) * 10 > source.picture.version.length * 9)
    #expect(source.state == .raster)
    let second = try source.read(request)
    #expect(second.work == .fromMemory(delivering: 1000))
    #expect(second.pixels == first.pixels)
  }

  @Test func `a tiled TIFF is read by its tiles and only its file kept open`() async throws {
    let source = try RandomPipeline().open(try await CorpusPictures.file("tiff-tiled"))
    for _ in 0..<2 {
      // Which tiles libvips decodes, and which it still has, it does not tell.
      #expect(try source.read(request).work.pixelsDecoded == nil)
      #expect(source.state == .openFile)
    }
  }
}
