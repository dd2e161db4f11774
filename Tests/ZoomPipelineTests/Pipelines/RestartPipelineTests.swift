import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// What `restart` costs, and which structures it serves.
struct RestartPipelineTests {
  @Test(arguments: ["petronas", "pharmacy"])
  func `a peek decodes far fewer pixels and reads far fewer bytes than naive`(
    _ name: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let source = try #require(
      try RestartPipeline().open(path) as? RestartSource)
    let size = source.size
    let length = source.picture.version.length
    for x in [0, size.width / 2 + 1, size.width - 375] {
      for y in [0, size.height / 2 + 1, size.height - 375] {
        let region = try PixelRegion(x: x, y: y, width: 375, height: 375)
        let work = try source.read(RegionRequest(region)).work
        // 375 rows touch 25 MCU rows of 16 at most; a margin row on each side makes 27, and what
        // is cut in two to decode side by side at most 29. Never more than all of those columns.
        #expect(work.pixelsDecoded <= 29 * 16 * size.width)
        #expect(work.pixelsDecoded * 3 < size.area)
        #expect(try #require(work.unitsDecoded) <= 29 * ((size.width + 15) / 16))
        #expect(try #require(work.bytesRead) * 2 < length)
        #expect(work.unit == .mcu)
      }
    }
  }

  @Test func `opening finds the markers in one pass and keeps them`() async throws {
    let path = try await CorpusPictures.file("petronas")
    let source = try #require(
      try RestartPipeline().open(path) as? RestartSource)
    #expect(source.state == .index)
    let scanned = try #require(source.openingWork.bytesRead)
    #expect(scanned > 0 && scanned <= source.picture.version.length)
    #expect(source.openingWork.pixelsDecoded == 0)
    source.forget()
    #expect(source.state == .index)
  }

  @Test func `what it decodes depends on the place only through the margin rows`() async throws {
    let path = try await CorpusPictures.file("jpeg-444")
    let source = try RestartPipeline().open(path)
    // 4:4:4 needs no margin above or below: one MCU row of 8 for one pixel, wherever it stands.
    let counts = try [0, 7, 8, 200, 456].map { y in
      try source.read(RegionRequest(PixelRegion(x: 300, y: y, width: 1, height: 1))).work
        .unitsDecoded
    }
    #expect(Set(counts.dropLast()).count == 1)
    #expect(try #require(counts[0]) <= 77)
  }

  @Test(arguments: [
    ("forest", "no markers"), ("jpeg-restart-part", "inside rows"), ("jpeg-scans", "scans"),
    ("petronas-progressive", "progressive"), ("png", "no JPEG"), ("tiff-tiled", "no JPEG"),
    ("webp", "no JPEG"),
  ])
  func `what it cannot enter at whole rows is refused with a reason`(
    _ name: String, _ why: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let error = #expect(throws: PipelineError.self, "\(why)") { try RestartPipeline().open(path) }
    #expect(error?.code == .unsupported)
    #expect(error?.file == path)
    #expect(error?.reason.isEmpty == false)
    #expect(throws: PipelineError.self) { try RestartPipeline().assess(path) }
  }
}
