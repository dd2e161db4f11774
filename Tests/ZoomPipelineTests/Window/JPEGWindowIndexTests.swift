import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@Suite struct JPEGWindowIndexTests {
  /// An upright picture, and turned ones with the last MCU at other corners.
  @Test(arguments: ["jpeg-444", "orientation-3", "orientation-6", "orientation-8"])
  func `once the index is complete, a first peek costs what a second one does`(
    picture: String
  ) async throws {
    let path = try await CorpusPictures.file(picture)
    let source = try #require(
      try PartialPipeline().open(path) as? any JPEGWindowSource)
    try source.completeIndex()
    let (width, height) = (source.size.width, source.size.height)
    for (x, y) in [(0, 0), (width - 9, 0), (0, height - 9), (width - 9, height - 9)] {
      let request = RegionRequest(try PixelRegion(x: x, y: y, width: 9, height: 9))
      let first = try source.read(request).work
      #expect(try source.read(request).work == first)
    }
  }
}
