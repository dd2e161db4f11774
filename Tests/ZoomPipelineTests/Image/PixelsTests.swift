import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct PixelsTests {
  /// libvips has a table of sample sizes: an image made of pixels must agree with ours.
  @Test(arguments: SampleFormat.allCases)
  func `every sample format passes through an image unchanged`(_ format: SampleFormat) throws {
    let bytes = (0..<6 * format.byteCount).map { UInt8($0 + 1) }
    let pixels = try Pixels(
      3, 2, 1, format, ColourInterpretation(rawValue: "multiband"), bytes: bytes)
    let image = try Image(pixels)
    #expect(try image.format == format)
    #expect(try image.read(PixelRegion(whole: pixels.size)) == pixels)
  }

  @Test func `bytes that do not match the shape are a programmer's error`() async {
    await #expect(processExitsWith: .failure) {
      _ = try Pixels(2, 2, 3, bytes: [UInt8](repeating: 0, count: 11))
    }
    await #expect(processExitsWith: .failure) {
      _ = try Pixels(2, 2, 0, bytes: [])
    }
  }
}
