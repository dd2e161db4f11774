import Foundation
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import PixelLaws

@Suite struct PixelShiftTests {
  /// Returns crossing sines, sampled at a shift, as by a perfect resampler.
  private static func sines(_ x: Double, _ y: Double, side: Int) -> Pixels {
    let levels = (0..<side * side).map { (place: Int) -> UInt8 in
      let (u, v) = ((Double(place % side) - x) * 2 * .pi, (Double(place / side) - y) * 2 * .pi)
      let wave = sin(u / 7) + sin(v / 9) + sin((u + v) / 23) + sin((u - v) / 31)
      return UInt8(((0.5 + 0.12 * wave) * 255).rounded())
    }
    return pixels(.uint8, levels, width: side)
  }

  /// Smoothing drops the outermost pixels, and of 128x128 and more only some are compared.
  @Test(arguments: [40, 130, 150])
  func `a shift of a part of a pixel is measured to a twentieth`(side: Int) throws {
    let still = Self.sines(0, 0, side: side)
    for (x, y) in [(0.1, 0), (0, -0.1), (0.5, 0.5), (-0.25, 0.4), (1.5, -2.25), (7.3, 5.9)] {
      let shift = try #require(PixelShift(Self.sines(x, y, side: side), expected: still))
      #expect(abs(shift.x - x) < 0.05 && abs(shift.y - y) < 0.05, "(\(x), \(y)): \(shift)")
      #expect(shift.explained > 0.9)
    }
  }

  /// On noise, a shift explains all of the difference if it was tried, and only then.
  @Test(arguments: [
    (30, 28, 8, 8, true), (30, 28, 8, 9, false), (30, 28, 9, 9, true), (24, 31, 20, 8, true),
    (24, 31, 20, 9, false), (31, 24, 20, 9, false), (30, 30, 3, 3, true), (30, 30, 3, 4, false),
    (30, 30, 0, 1, false), (30, 30, -3, 1, false),
  ]) func `whole pixels are tried within the range and a third of the shorter side`(
    width: Int, height: Int, range: Int, moved: Int, isFound: Bool
  ) throws {
    let noise = painted(60, 60)
    let expected = noise.cut(.checked(10, 10, width, height))
    for (x, y) in [(moved, 0), (0, -moved)] {
      let got = noise.cut(.checked(10 - x, 10 - y, width, height))
      let shift = try #require(PixelShift(got, expected: expected, within: range))
      #expect((shift.explained == 1) == isFound)
      if isFound { #expect(shift.x == Double(x) && shift.y == Double(y)) }
      if range == 8 { #expect(PixelShift(got, expected: expected) == shift) }
    }
  }

  @Test func `bands are averaged, and samples that are not finite count as zero`() {
    let levels = painted(15, 11, bands: 1).bytes.map { Double($0) }
    let padded: [Double] = levels.flatMap { [$0, 0] }
    func shift(_ format: SampleFormat, _ bands: Int, _ samples: [Double]) -> PixelShift? {
      let other = pixels(format, padded, bands: bands, width: 15)
      return PixelShift(pixels(format, samples, bands: bands, width: 15), expected: other)
    }
    let moved = levels.map { $0 / 2 + 9 }
    let wanted = shift(.float64, 2, moved.flatMap { [$0, 0] })
    #expect(wanted != nil && shift(.complex128, 1, moved.flatMap { [0, $0] }) == wanted)
    for hole in [Double.nan, .infinity] {
      #expect(shift(.float64, 2, moved.flatMap { [$0, hole] }) == wanted)
    }
  }

  /// Both smoothed pictures are infinite in one place, which must not count as a shift.
  @Test func `a picture is not shifted against itself, even with a sample too large to scale`()
    throws
  {
    for width in [11, 15] {
      var levels = painted(width, 165 / width, bands: 1).bytes.map { Double($0) }
      for corner in [levels[0], .greatestFiniteMagnitude] {
        levels[0] = corner
        let still = pixels(.float64, levels, width: width)
        let shift = try #require(PixelShift(still, expected: still))
        #expect(shift == PixelShift(x: 0, y: 0, explained: 1))
      }
    }
  }

  /// A shifted paraboloid differs from itself by exactly the shift times the mean gradient.
  ///
  /// So only rounding errors remain, half of them negative.
  @Test func `no shift explains more than the whole difference`() throws {
    func bowl(_ dx: Double, _ dy: Double) -> Pixels {
      let levels = (0..<340).map { place in
        let (x, y) = (Double(place % 20) - dx, Double(place / 20) - dy)
        return 0.001 * x * x + 0.0013 * y * y
      }
      return pixels(.float64, levels, width: 20)
    }
    for step in 1..<60 {
      let (dx, dy) = (Double(step) / 130, Double(-step) / 170)
      let shift = try #require(PixelShift(bowl(dx, dy), expected: bowl(0, 0), within: 0))
      #expect(shift.explained <= 1 && shift.explained > 1 - 1e-9)
      #expect(abs(shift.x - dx) < 1e-9 && abs(shift.y - dy) < 1e-9)
    }
  }

  /// Content that repeats every 4 pixels in both directions.
  ///
  /// A shift by 1 fits as well as one by -3 or 5, and half a period fits in either direction.
  @Test(arguments: [
    (1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1), (1, -1, 1), (-1, 1, 1), (2, 0, -1), (0, 2, -1),
    (2, 2, -1),
  ]) func `of equally good shifts the shortest is taken, of those the first from the top left`(
    x: Int, y: Int, sign: Int
  ) throws {
    func tiles(_ x: Int, _ y: Int) -> Pixels {
      let levels: [UInt8] = [0, 40, 200, 90]
      let tiles = (0..<576).map { place in
        levels[(place % 24 - x) & 3] >> ((place / 24 - y) & 3)
      }
      return pixels(.uint8, tiles, width: 24)
    }
    let shift = try #require(PixelShift(tiles(x, y), expected: tiles(0, 0)))
    #expect(shift.x == Double(sign * x) && shift.y == Double(sign * y), "\(shift)")
  }

  /// The weaker direction has a structure of exactly 12 squared levels if the edge is 96.
  ///
  /// There are 3x3 places with a gradient: 96 / 4 / 12 = 2 across in the first column, and 144 / 4 /
  /// 12 = 3 down and up in the first and last row. The sums are 3 * 2^2 = 12 across and 3 * 2 * 3^2
  /// = 54 down, and the products of both cancel out.
  @Test(arguments: [(96.0, true), (95, false), (96.01, true), (95.99, false)])
  func `a shift needs a structure of twelve squared levels`(edge: Double, isMeasured: Bool) {
    let levels = (0..<81).map { (place: Int) -> Double in
      let level = place % 9 == 0 ? edge : 0
      return place < 9 || place >= 72 ? level + 144 : level
    }
    var pictures = [
      pixels(.float64, levels.flatMap { [$0 / 255, $0 / 255] }, bands: 2, width: 9),
      pixels(.complex64, levels.flatMap { [Float($0 / 255), Float($0 / 255)] }, width: 9),
    ]
    if edge == edge.rounded() { pictures = [pixels(.uint8, levels.map { UInt8($0) }, width: 9)] }
    for picture in pictures {
      #expect((PixelShift(picture, expected: picture) != nil) == isMeasured)
    }
  }

  @Test func `pictures with less than seven pixels a side and flat ones have no shift`() {
    for (width, height) in [(7, 30), (30, 7), (6, 30), (30, 6), (2, 30), (30, 1), (1, 1)] {
      let noise = painted(width, height)
      #expect((PixelShift(noise, expected: noise) != nil) == (min(width, height) == 7))
    }
    let flat = painted(30, 30, .eight, .flat(9))
    #expect(PixelShift(flat, expected: flat) == nil)
    let slope = pixels(.uint8, (0..<900).map { UInt8($0 % 30 * 8) }, width: 30)
    #expect(PixelShift(slope, expected: slope) == nil)
  }
}
