import PropertyTesting
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

  /// Returns random pixels with the same bytes on every run.
  static func noise(
    _ width: Int, _ height: Int, bands: Int, format: SampleFormat = .uint8
  ) throws -> Pixels {
    let size = try PixelSize(width: width, height: height)
    var numbers = SplitMix64(seed: UInt64(width * 1000 + height))
    return Pixels(
      size: size, bands: bands, format: format, interpretation: .srgb,
      bytes: (0..<size.area * bands * format.byteCount).map { _ in
        .random(in: 0...255, using: &numbers)
      })
  }

  @Test(arguments: shapes, QuarterTurn.allCases)
  func `every pixel comes to stand where turning it step by step puts it`(
    _ shape: (Int, SampleFormat), _ turn: QuarterTurn
  ) throws {
    for (width, height) in [(1, 1), (1, 7), (9, 1), (13, 8)] {
      let pixels = try Self.noise(width, height, bands: shape.0, format: shape.1)
      #expect(pixels.turned(by: turn).difference(from: pixels.turnedPlainly(turn)) == nil)
    }
  }

  @Test(arguments: [
    (QuarterTurn.clockwise, Orientation.right), (.half, .down), (.counterclockwise, .left),
  ])
  func `a turn is libvips' rotation`(_ turn: QuarterTurn, _ orientation: Orientation) throws {
    let pixels = try Self.noise(21, 10, bands: 3)
    #expect(
      pixels.turned(by: turn).difference(from: try pixels.upright(from: orientation)) == nil)
  }

  @Test(arguments: QuarterTurn.allCases, QuarterTurn.allCases)
  func `one turn after the other is their sum, and a turn and its inverse are none`(
    _ first: QuarterTurn, _ second: QuarterTurn
  ) throws {
    let pixels = try Self.noise(11, 6, bands: 3)
    let both = pixels.turned(by: first).turned(by: second)
    #expect(both.difference(from: pixels.turned(by: first + second)) == nil)
    let back = pixels.turned(by: first).turned(by: first.inverse)
    #expect(back.difference(from: pixels) == nil)
  }
}
