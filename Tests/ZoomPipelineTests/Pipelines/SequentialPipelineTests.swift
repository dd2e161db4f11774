import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct SequentialPipelineTests {
  @Test(arguments: ["forest", "petronas-norestart", "png", "jpeg-410"])
  func `the lower a region ends, the more is read, up to the whole file`(
    _ name: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let source = try #require(
      try SequentialPipeline().open(path) as? SequentialSource)
    let size = source.size
    var last = Work.none
    for foot in 1...6 {
      let region = try PixelRegion(x: 5, y: size.height * foot / 6 - 3, width: 9, height: 3)
      let work = try source.read(RegionRequest(region)).work
      #expect(try #require(work.bytesRead) >= #require(last.bytesRead))
      #expect(work.pixelsDecoded == nil, "libvips does not tell how far its decoder has gone")
      last = work
    }
    // The headers are read for the picture's size and again for its pixels.
    #expect(try #require(last.bytesRead) <= source.picture.version.length + 1 << 14)
  }

  /// The file is read in blocks of a few kilobytes: of half a megabyte the top takes a small part.
  @Test func `the top of a JPEG takes a small part of its bytes, the foot nearly all`()
    async throws
  {
    let path = try await CorpusPictures.file("forest")
    let source = try #require(
      try SequentialPipeline().open(path) as? SequentialSource)
    let length = source.picture.version.length
    let top = try source.read(RegionRequest(PixelRegion(x: 0, y: 0, width: 1600, height: 8)))
    let foot = try source.read(RegionRequest(PixelRegion(x: 0, y: 1199, width: 1, height: 1)))
    #expect(try #require(top.work.bytesRead) * 10 < length)
    #expect(try #require(foot.work.bytesRead) * 10 > length * 9)
  }

  @Test(arguments: ["png-interlaced", "petronas-progressive"])
  func `of passes over the whole picture most is read for any region`(_ name: String) async throws {
    let source = try #require(
      try SequentialPipeline().open(try await CorpusPictures.file(name)) as? SequentialSource)
    #expect(source.picture.isInterlaced)
    let region = try PixelRegion(x: 0, y: 0, width: 1, height: 1)
    let work = try source.read(RegionRequest(region)).work
    #expect(try #require(work.bytesRead) > source.picture.version.length / 2)
  }
}
