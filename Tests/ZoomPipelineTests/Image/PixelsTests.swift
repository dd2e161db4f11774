import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct PixelsTests {
  @Test func `rows have no padding`() throws {
    for format in SampleFormat.allCases {
      let size = try PixelSize(width: 3, height: 2)
      let pixels = Pixels(
        size: size, bands: 5, format: format, interpretation: .srgb,
        bytes: [UInt8](repeating: 0, count: 3 * 2 * 5 * format.byteCount))
      #expect(pixels.rowByteCount == 15 * format.byteCount)
      #expect(pixels.rowByteCount * 2 == pixels.bytes.count)
    }
  }

  /// libvips knows the size of a sample itself: an image made of pixels must agree with us.
  @Test(arguments: SampleFormat.allCases)
  func `every sample format passes through an image unchanged`(_ format: SampleFormat) throws {
    let bytes = (0..<6 * format.byteCount).map { UInt8($0 + 1) }
    let pixels = Pixels(
      size: try PixelSize(width: 3, height: 2), bands: 1, format: format,
      interpretation: ColourInterpretation(rawValue: "multiband"), bytes: bytes)
    let image = try Image(pixels)
    #expect(try image.format == format)
    #expect(try image.read(PixelRegion(whole: pixels.size)) == pixels)
  }

  @Test func `bytes that do not match the shape are a programmer's error`() async {
    await #expect(processExitsWith: .failure) {
      _ = Pixels(
        size: try PixelSize(width: 2, height: 2), bands: 3, format: .uint8, interpretation: .srgb,
        bytes: [UInt8](repeating: 0, count: 11))
    }
    await #expect(processExitsWith: .failure) {
      _ = Pixels(
        size: try PixelSize(width: 2, height: 2), bands: 0, format: .uint8, interpretation: .srgb,
        bytes: [])
    }
  }
}
