import Testing
import ZoomGeometry
import ZoomPipeline

@testable import PixelLaws

@Suite struct SampleLevelsTests {
  private static func means(_ pixels: Pixels) -> [Double] {
    pixels.visitSamples(BandMeans(pixels: pixels))
  }

  @Test func `pixels have the same bytes as themselves, and as no others`() {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6]
    let one = pixels(.uint8, bytes, width: 3)
    #expect(one.hasSameBytes(as: one))
    #expect(one.hasSameBytes(as: pixels(.uint8, bytes, width: 3)))
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 0x80
      let other = pixels(.uint8, changed, width: 3)
      #expect(!one.hasSameBytes(as: other) && !other.hasSameBytes(as: one))
    }
  }

  @Test func `pixels of which one begins like the other have not the same bytes`() {
    let long = pixels(.uint8, [1, 2, 3, 4, 5, 6] as [UInt8], width: 3)
    let short = pixels(.uint8, [1, 2, 3] as [UInt8], width: 3)
    #expect(!short.hasSameBytes(as: long) && !long.hasSameBytes(as: short))
  }

  @Test func `the mean of the bands of each pixel is on a scale of 255`() {
    let colours: [UInt8] = [10, 20, 30, 0, 0, 3, 255, 255, 255, 0, 0, 0]
    #expect(Self.means(pixels(.uint8, colours, bands: 3, width: 2)) == [20, 1, 255, 0])
    #expect(Self.means(pixels(.uint16, [0, 257 * 7, .max] as [UInt16])) == [0, 7, 255])
    let halves: [Float] = [0.5, 1, -1, 0]
    #expect(Self.means(pixels(.float32, halves, bands: 2, width: 1)) == [191.25, -127.5])
    #expect(Self.means(pixels(.complex128, [0, 1, 1, 1] as [Double])) == [127.5, 255])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `what is no number counts as zero in the mean of the bands`(hole: Double) {
    #expect(Self.means(pixels(.float64, [hole, 1, hole, hole], bands: 2)) == [127.5, 0])
  }
}
