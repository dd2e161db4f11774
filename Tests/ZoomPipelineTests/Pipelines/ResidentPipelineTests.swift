import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct ResidentPipelineTests {
  @Test(arguments: ["jpeg-411", "png-16", "orientation-7", "tiff-tiled", "cmyk"])
  func `the first read decodes all, later ones nothing`(_ name: String) async throws {
    let budget = MemoryBudget(limit: 1 << 24)
    let source = try #require(
      try ResidentPipeline(limits: PictureLimits(memory: budget)).open(
        try await CorpusPictures.file(name))
        as? ResidentSource)
    #expect(source.state == .nothing)
    #expect(budget.inUse == 0, "nothing is decoded yet")
    let telling = TellingRegions(of: source.size, seed: 41)
    for (number, region) in try telling.random(4).enumerated() {
      let work = try source.read(RegionRequest(region)).work
      if number == 0 {
        #expect(work.pixelsDecoded == source.size.area)
        // Of a TIFF with a pyramid the levels are not read.
        #expect(try #require(work.bytesRead) * 2 > source.picture.version.length)
      } else {
        #expect(work == .fromMemory(delivering: region.area))
      }
      #expect(source.state == .raster)
      #expect(budget.inUse == source.picture.rasterByteCount)
    }
    source.forget()
    #expect(source.state == .nothing)
    #expect(budget.inUse == 0)
  }

  @Test func `a damaged picture is never kept and its bytes are given back`() throws {
    let folder = try TestFolder()
    let jpeg = try JPEGBytes.small()
    let path = try folder.write(Array(jpeg.bytes.prefix(jpeg.codedStart + 900)), as: "cut.jpg")
    let budget = MemoryBudget(limit: 1 << 20)
    let source = try ResidentPipeline(limits: PictureLimits(memory: budget)).open(path)
    for _ in 0..<2 {
      let error = #expect(throws: PipelineError.self) {
        try source.read(RegionRequest(PixelRegion(x: 0, y: 0, width: 1, height: 1)))
      }
      #expect(error?.code == .damaged)
      #expect(source.state == .nothing)
      #expect(budget.inUse == 0)
    }
  }
}
