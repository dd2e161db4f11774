import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomFrames

@Suite struct PixelsLayoutTests {
  @Test func `padding keeps every pixel in the middle and shades the rest`() throws {
    let pixels = try Pixels.noise(5, 4)
    let padded = try pixels.padded(to: PixelSize(width: 9, height: 7), shade: 64)
    let middle = padded.crop(
      try PixelRegion(x: 2, y: 1, width: 5, height: 4))
    #expect(middle.bytes == pixels.bytes)
    #expect(padded.bytes.count { $0 == 64 } >= (9 * 7 - 5 * 4) * 3)
    #expect(padded[0, 0] == [64, 64, 64] && padded[8, 6] == [64, 64, 64])
    #expect(try pixels.padded(to: pixels.size, shade: 64).bytes == pixels.bytes)
  }

  @Test func `scaling gives the size asked for, and the same size the same pixels`() throws {
    let pixels = try Pixels.slopes(40, 30)
    for (width, height) in [(20, 15), (13, 40), (80, 7), (1, 1)] {
      let size = try PixelSize(width: width, height: height)
      #expect(try pixels.resampled(to: size).size == size)
    }
    #expect(try pixels.resampled(to: pixels.size).bytes == pixels.bytes)
    // Scaling keeps a gradient: its middle has the same level.
    let half = try pixels.resampled(to: PixelSize(width: 20, height: 15))
    #expect(abs(Int(half[10, 7][0]) - Int(pixels[20, 15][0])) <= 5)
  }
}
