import PixelLaws
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct PixelsTurnTests {
  /// Pixels of 1 to 6, 8 and 48 bytes: sizes with a special copy loop, and others.
  static let shapes: [(Int, SampleFormat)] = [
    (1, .uint8), (2, .uint8), (3, .uint8), (4, .uint8), (5, .uint8), (3, .uint16), (1, .float64),
    (3, .complex128),
  ]

  @Test(arguments: shapes, QuarterTurn.allCases)
  func `every pixel comes to stand where turning it step by step puts it`(
    _ shape: (Int, SampleFormat), _ turn: QuarterTurn
  ) throws {
    for (width, height) in [(1, 1), (1, 7), (9, 1), (13, 8)] {
      let pixels = try Pixels.noise(width, height, bands: shape.0, format: shape.1)
      #expect(pixels.turned(by: turn).difference(from: pixels.quarterTurned(turn)) == nil)
    }
  }
}
