import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

@Suite struct MCUWindowTests {
  /// For chroma at half the width and height, and at full size.
  @Test(arguments: [
    (JPEGEncoding.Sampling.yCbCr420, 18, 12, 1..<2),
    (JPEGEncoding.Sampling.yCbCr420, 17, 13, 0..<2),
    (JPEGEncoding.Sampling.yCbCr420, 18, 13, 1..<3),
    (JPEGEncoding.Sampling.yCbCr444, 16, 8, 2..<3),
  ])
  func `a region beside an MCU's border takes the MCU behind it where chroma is smoothed`(
    _ sampling: [JPEGEncoding.Sampling], _ start: Int, _ side: Int, _ mcus: Range<Int>
  ) throws {
    let made = try MadeJPEG(JPEGEncoding(sampling: sampling), 161, 90)
    let region = try PixelRegion(x: start, y: start, width: side, height: side)
    let window = MCUWindow(try JPEGStructure(of: made.path), region: region)
    #expect(window.columns == mcus)
    #expect(window.rows == mcus)
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
