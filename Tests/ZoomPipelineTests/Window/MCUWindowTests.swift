import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

@Suite struct MCUWindowTests {
  private func window(
    _ sampling: [JPEGEncoding.Sampling], x: Int, y: Int, width: Int, height: Int
  ) throws -> MCUWindow {
    let made = try MadeJPEG(JPEGEncoding(sampling: sampling), 161, 90)
    return MCUWindow(
      try JPEGStructure(of: made.path),
      region: try PixelRegion(x: x, y: y, width: width, height: height))
  }

  @Test func `a region beside an MCU's border takes the MCU behind it where chroma is smoothed`()
    throws
  {
    let half = JPEGEncoding.Sampling.yCbCr420
    #expect(try window(half, x: 18, y: 18, width: 12, height: 12).columns == 1..<2)
    #expect(try window(half, x: 17, y: 17, width: 13, height: 13).columns == 0..<2)
    #expect(try window(half, x: 18, y: 18, width: 13, height: 13).columns == 1..<3)
    #expect(try window(half, x: 17, y: 17, width: 13, height: 13).rows == 0..<2)
    let full = JPEGEncoding.Sampling.yCbCr444
    #expect(try window(full, x: 16, y: 16, width: 8, height: 8).columns == 2..<3)
    #expect(try window(full, x: 16, y: 16, width: 8, height: 8).rows == 2..<3)
  }

  @Test func `at the picture's edges it keeps the parts of MCUs that the picture has`() throws {
    let made = try MadeJPEG(JPEGEncoding(), 161, 90)
    let jpeg = try JPEGStructure(of: made.path)
    let corner = MCUWindow(jpeg, region: try PixelRegion(x: 160, y: 89, width: 1, height: 1))
    // One more MCU on the left: a single chroma column would be interpolated differently.
    #expect(corner.columns == 9..<11 && corner.rows == 5..<6)
    #expect(corner.origin(jpeg) == (144, 80))
    #expect(corner.size(jpeg) == (17, 10))
    #expect(corner.end(jpeg) == jpeg.mcuCount)
    #expect(corner.count == 2)
  }
}
