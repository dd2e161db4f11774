import PropertyTesting
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import PixelLaws

@Suite struct PixelComparisonTests {
  @Test func `a picture is the same as itself, and only as itself`() async {
    let changes = Gens.zip(
      Gen<TestPicture>.testPictures(sides: 1...24), Gen<Int>.integer(in: 0...1 << 20),
      Gen<UInt8>.integer(in: 1...255))
    let report = await Property.check(
      "same", changes, settings: PropertySettings(cases: 60, seed: 1)
    ) { input, _ in
      let (picture, place, change) = input
      let pixels = picture.storedPixels()
      let same = PixelComparison(pixels, expected: pixels)
      try Property.require(same.isSame && same.comparedPixels == pixels.size.area)
      try Property.require(
        same.largestDifference == 0 && same.meanDifference == 0 && same.worst == nil)
      var bytes = pixels.bytes
      bytes[place % bytes.count] ^= change
      let other = pixels.with(pixels.size, bytes)
      let seen = PixelComparison(other, expected: pixels)
      try Property.require(!seen.isSame && seen.differingPixels == 1)
      let pixel = place % bytes.count / (pixels.bands * pixels.format.byteCount)
      try Property.require(
        seen.worst?.x == pixel % pixels.size.width && seen.worst?.y == pixel / pixels.size.width)
      let back = PixelComparison(pixels, expected: other)
      try Property.require(
        back.largestDifference == seen.largestDifference
          && back.meanDifference == seen.meanDifference)
    }
    #expect(report.verdict == .passed)
  }

  @Test func `the worst place is named with its band and levels`() {
    let black = painted(7, 5, .sixteen, .flat(0))
    var bytes = black.bytes
    // Column 4, row 3, band 1.
    let place = ((3 * 7 + 4) * 3 + 1) * 2
    (bytes[place], bytes[place + 1]) = (0x34, 0x12)
    bytes[0] = 9
    let seen = PixelComparison(black.with(black.size, bytes), expected: black)
    #expect(seen.worst == PixelComparison.Worst(x: 4, y: 3, band: 1, expected: 0, got: 0x1234))
    #expect(seen.differingPixels == 2 && seen.largestDifference == 0x1234)
    #expect(seen.meanDifference == Double(0x1234 + 9) / 105)
  }

  @Test func `pixels of another form are not compared, and have no shift`() {
    let wanted = painted(8, 8)
    for other in [painted(8, 7), painted(9, 8), painted(8, 8, bands: 1), painted(8, 8, .sixteen)] {
      let seen = PixelComparison(other, expected: wanted)
      #expect(seen.formDifference != nil && !seen.isSame && seen.comparedPixels == 0)
      #expect(PixelShift(other, expected: wanted) == nil)
    }
    let other = Pixels(
      size: size(9, 5), bands: 1, format: .uint16, interpretation: .rgb16,
      bytes: [UInt8](repeating: 0, count: 90))
    #expect(
      PixelComparison(other, expected: wanted).formDifference
        == "size 9x5 instead of 8x8, bands 1 instead of 3, format uint16 instead of uint8, "
        + "colours rgb16 instead of srgb")
  }

  @Test func `pixels of other colours are compared, but never the same`() {
    let noise = painted(8, 6)
    let other = Pixels(
      size: noise.size, bands: 3, format: .uint8, interpretation: .rgb16, bytes: noise.bytes)
    let seen = PixelComparison(other, expected: noise)
    #expect(seen.formDifference == "colours rgb16 instead of srgb" && !seen.isSame)
    #expect(seen.comparedPixels == 48 && seen.differingPixels == 0)
  }

  @Test func `the first of the samples that differ most is the worst`() {
    let seen = PixelComparison(
      pixels(.uint8, [5, 6, 3, 6] as [UInt8]), expected: pixels(.uint8, [5, 7, 4, 5] as [UInt8]))
    #expect(seen.differingPixels == 3 && seen.meanDifference == 0.75)
    #expect(seen.worst == .init(x: 1, y: 0, band: 0, expected: 7, got: 6))
  }

  @Test func `samples of every format are compared as numbers`() {
    func check<Sample>(_ format: SampleFormat, _ low: Sample, _ high: Sample, by: Double) {
      let seen = PixelComparison(
        pixels(format, [low, low, high, low]), expected: pixels(format, [low, low, low, low]))
      let count = MemoryLayout<Sample>.size < format.byteCount ? 2 : 4
      #expect(seen.comparedPixels == count && seen.differingPixels == 1, "\(format)")
      #expect(seen.largestDifference == by && seen.meanDifference == by / Double(count))
      #expect(seen.worst?.x == count / 2 && seen.worst?.band == 0)
    }
    check(.uint8, UInt8.min, UInt8.max, by: 255)
    check(.int8, Int8.min, Int8.max, by: 255)
    check(.uint16, UInt16.min, UInt16.max, by: 65_535)
    check(.int16, Int16.min, Int16.max, by: 65_535)
    check(.uint32, UInt32.min, UInt32.max, by: 4_294_967_295)
    check(.int32, Int32.min, Int32.max, by: 4_294_967_295)
    check(.float32, Float(-0.25), Float(0.5), by: 0.75)
    check(.float64, -0.25, 0.5, by: 0.75)
    check(.complex64, Float(-0.25), Float(0.5), by: 0.75)
    check(.complex128, -0.25, 0.5, by: 0.75)
  }

  @Test func `NaN differs infinitely from a number, and not from another NaN`() {
    let numbers = pixels(.float64, [1.0, 1, 2])
    let seen = PixelComparison(pixels(.float64, [1, Double.nan, 2]), expected: numbers)
    #expect(seen.largestDifference == .infinity && seen.differingPixels == 1)
    let same = PixelComparison(
      pixels(.float64, [Double.nan, 1]), expected: pixels(.float64, [-Double.nan, 1]))
    #expect(same.worst == nil && same.meanDifference == 0 && same.largestDifference == 0)
  }
}
