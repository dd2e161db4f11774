import Testing
import ZoomGeometry
import ZoomPipeline

@testable import PixelLaws

@Suite struct SampleLevelsTests {
  private static func pixels<Sample>(
    _ format: SampleFormat, bands: Int, width: Int, _ samples: [Sample]
  ) -> Pixels {
    let bytes = samples.flatMap { withUnsafeBytes(of: $0) { Array($0) } }
    return Pixels(
      size: PixelRegion.checked(0, 0, width, bytes.count / width / bands / format.byteCount).size,
      bands: bands, format: format, interpretation: .grey, bytes: bytes)
  }

  private static func means(_ pixels: Pixels) -> [Double] {
    pixels.visitSamples(BandMeans(pixels: pixels))
  }

  @Test func `pixels have the same bytes as themselves, and as no others`() {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6]
    let pixels = Self.pixels(.uint8, bands: 1, width: 3, bytes)
    #expect(pixels.hasSameBytes(as: pixels))
    #expect(pixels.hasSameBytes(as: Self.pixels(.uint8, bands: 1, width: 3, bytes)))
    for place in bytes.indices {
      var other = bytes
      other[place] ^= 0x80
      #expect(!pixels.hasSameBytes(as: Self.pixels(.uint8, bands: 1, width: 3, other)))
      #expect(!Self.pixels(.uint8, bands: 1, width: 3, other).hasSameBytes(as: pixels))
    }
  }

  @Test func `pixels of which one begins like the other have not the same bytes`() {
    let long = Self.pixels(.uint8, bands: 1, width: 3, [1, 2, 3, 4, 5, 6] as [UInt8])
    let short = Self.pixels(.uint8, bands: 1, width: 3, [1, 2, 3] as [UInt8])
    #expect(!short.hasSameBytes(as: long) && !long.hasSameBytes(as: short))
  }

  @Test func `the mean of the bands of each pixel is on a scale of 255`() {
    #expect(
      Self.means(
        Self.pixels(
          .uint8, bands: 3, width: 2, [10, 20, 30, 0, 0, 3, 255, 255, 255, 0, 0, 0] as [UInt8]))
        == [20, 1, 255, 0])
    #expect(
      Self.means(Self.pixels(.uint16, bands: 1, width: 3, [0, 257 * 7, .max] as [UInt16]))
        == [0, 7, 255])
    #expect(
      Self.means(Self.pixels(.float32, bands: 2, width: 1, [0.5, 1, -1, 0] as [Float]))
        == [191.25, -127.5])
    #expect(
      Self.means(Self.pixels(.complex128, bands: 1, width: 2, [0, 1, 1, 1] as [Double]))
        == [127.5, 255])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `what is no number counts as zero in the mean of the bands`(hole: Double) {
    #expect(
      Self.means(Self.pixels(.float64, bands: 2, width: 2, [hole, 1, hole, hole])) == [127.5, 0])
  }
}
