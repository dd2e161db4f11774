import Testing
import ZoomGeometry
import ZoomPipeline

@testable import PixelLaws

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct PixelShiftTests {
  /// Returns crossing sines of two periods each, sampled at a shift, as by a perfect resampler.
  private static func sines(
    _ depth: TestPicture.SampleDepth, _ x: Double, _ y: Double, finest: Double = 7
  ) -> Pixels {
    let side = 40
    var bytes: [UInt8] = []
    for row in 0..<side {
      for column in 0..<side {
        let (u, v) = ((Double(column) - x) * 2 * .pi, (Double(row) - y) * 2 * .pi)
        let wave = sin(u / finest) + sin(v / (finest + 2)) + sin((u + v) / 23) + sin((u - v) / 31)
        let level = 0.5 + 0.12 * wave
        if depth == .eight {
          bytes.append(UInt8((level * 255).rounded()))
        } else {
          withUnsafeBytes(of: UInt16((level * 65_535).rounded())) { bytes += Array($0) }
        }
      }
    }
    return Pixels(
      size: size(side, side), bands: 1, format: depth == .eight ? .uint8 : .uint16,
      interpretation: depth == .eight ? .grey : ColourInterpretation(rawValue: "grey16"),
      bytes: bytes)
  }

  @Test(arguments: TestPicture.SampleDepth.allCases)
  func `a shift of a part of a pixel is measured to a twentieth`(_ depth: TestPicture.SampleDepth)
    throws
  {
    let still = Self.sines(depth, 0, 0)
    for (x, y) in [(0.1, 0), (0, -0.1), (0.5, 0.5), (-0.25, 0.4), (1.5, -2.25), (7.3, 5.9)] {
      let shift = try #require(PixelShift(Self.sines(depth, x, y), expected: still))
      #expect(abs(shift.x - x) < 0.05 && abs(shift.y - y) < 0.05, "(\(x), \(y)): \(shift)")
      #expect(shift.explained > 0.9)
    }
  }

  @Test func `a picture is not shifted beside itself`() throws {
    let shift = try #require(
      PixelShift(Self.sines(.eight, 0, 0), expected: Self.sines(.eight, 0, 0)))
    #expect(shift.x == 0 && shift.y == 0)
  }

  @Test func `the way back is the way there reversed`() throws {
    let (one, other) = (Self.sines(.eight, 0, 0), Self.sines(.eight, 0.4, -0.3))
    let there = try #require(PixelShift(other, expected: one))
    let back = try #require(PixelShift(one, expected: other))
    #expect(abs(there.x + back.x) < 0.02 && abs(there.y + back.y) < 0.02)
  }

  @Test func `whole pixels are right on noise`() throws {
    let noise = painted(50, 45)
    for (x, y) in [(1, 0), (0, 1), (3, 5), (8, 2)] {
      let one = noise.cut(.checked(8 - x, 8 - y, 36, 33))
      let shift = try #require(PixelShift(one, expected: noise.cut(.checked(8, 8, 36, 33))))
      #expect(Int(shift.x.rounded()) == x && Int(shift.y.rounded()) == y)
    }
  }

  @Test func `what is flat along an axis has no shift`() {
    let flat = painted(30, 30, .eight, .flat(9))
    #expect(PixelShift(flat, expected: flat) == nil)
    let slope = pixels(.uint8, (0..<900).map { UInt8($0 % 30 * 8) }, width: 30)
    #expect(PixelShift(slope, expected: slope) == nil)
  }
}
