import PixelLaws
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

  /// Pixels of 1 to 6, 8 and 48 bytes: sizes with a special copy loop, and others.
  static let shapes: [(Int, SampleFormat)] = [
    (1, .uint8), (2, .uint8), (3, .uint8), (4, .uint8), (5, .uint8), (3, .uint16), (1, .float64),
    (3, .complex128),
  ]

  @Test(arguments: shapes, QuarterTurn.allCases)
  func `turned pixels are where turning them one by one puts them`(
    _ shape: (Int, SampleFormat), _ turn: QuarterTurn
  ) throws {
    for (width, height) in [(1, 1), (1, 7), (9, 1), (13, 8)] {
      let pixels = try Pixels.noise(width, height, bands: shape.0, format: shape.1)
      #expect(pixels.turned(by: turn).difference(from: pixels.quarterTurned(turn)) == nil)
    }
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
