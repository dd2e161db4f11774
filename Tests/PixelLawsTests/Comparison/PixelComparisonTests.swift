import PropertyTesting
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import PixelLaws

@Suite struct PixelComparisonTests {
  @Test func `a picture is the same as itself, and only as itself`() async {
    let pictures = Gen<TestPicture>.testPictures(PictureRange(sides: 1...24))
    let changes = Gens.zip(
      pictures, Gen<Int>.integer(in: 0...1 << 20), Gen<UInt8>.integer(in: 1...255))
    let report = await Property.check(
      "same", changes, settings: PropertySettings(cases: 60, seed: 1)
    ) { input, _ in
      let (picture, place, change) = input
      let pixels = picture.storedPixels()
      try Property.require(PixelComparison(pixels, expected: pixels).isSame)
      var bytes = pixels.bytes
      bytes[place % bytes.count] ^= change
      let seen = PixelComparison(pixels.with(pixels.size, bytes), expected: pixels)
      try Property.require(!seen.isSame && seen.differingPixels == 1)
      let pixel = place % bytes.count / (pixels.bands * pixels.format.byteCount)
      try Property.require(
        seen.worst?.x == pixel % pixels.size.width && seen.worst?.y == pixel / pixels.size.width)
    }
    #expect(report.verdict == .passed)
  }

  @Test func `differences are symmetric`() {
    let (one, other) = (painted(20, 9), painted(20, 9).raised(by: 3))
    let (there, back) = (
      PixelComparison(one, expected: other), PixelComparison(other, expected: one)
    )
    #expect(there.differingPixels == 180 && back.differingPixels == 180)
    #expect(there.largestDifference == back.largestDifference)
    #expect(there.meanDifference == back.meanDifference)
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

  @Test func `another form is an answer and no trap`() {
    let wanted = painted(8, 8)
    for other in [painted(8, 7), painted(9, 8), painted(8, 8, bands: 1), painted(8, 8, .sixteen)] {
      let seen = PixelComparison(other, expected: wanted)
      #expect(seen.formDifference != nil && !seen.isSame && seen.comparedPixels == 0)
      #expect(PixelShift(other, expected: wanted) == nil)
    }
  }

  @Test func `numbers that are none differ without end`() {
    func floats(_ numbers: [Float]) -> Pixels { pixels(.float32, numbers) }
    let seen = PixelComparison(floats([1, .nan, 2]), expected: floats([1, 1, 2]))
    #expect(seen.largestDifference == .infinity && seen.differingPixels == 1)
  }

  @Test func `all figures of pixels that are the same, or of another form, are none`() {
    let noise = painted(8, 6)
    #expect(
      PixelComparison(noise, expected: noise)
        == PixelComparison(
          comparedPixels: 48, differingPixels: 0, largestDifference: 0, meanDifference: 0))
    let other = Pixels(
      size: size(9, 5), bands: 1, format: .uint16,
      interpretation: .rgb16, bytes: [UInt8](repeating: 0, count: 90))
    #expect(
      PixelComparison(other, expected: noise)
        == PixelComparison(
          formDifference: "size 9x5 instead of 8x6, bands 1 instead of 3, "
            + "format uint16 instead of uint8, colours rgb16 instead of srgb",
          comparedPixels: 0, differingPixels: 0, largestDifference: 0, meanDifference: 0))
  }

  @Test func `pixels of other colours are compared, but never the same`() {
    let noise = painted(8, 6)
    let other = Pixels(
      size: noise.size, bands: 3, format: .uint8, interpretation: .rgb16, bytes: noise.bytes)
    let seen = PixelComparison(other, expected: noise)
    #expect(seen.formDifference == "colours rgb16 instead of srgb" && !seen.isSame)
    #expect(seen.comparedPixels == 48 && seen.differingPixels == 0)
  }

  @Test func `of samples that differ alike the first is the worst`() {
    let seen = PixelComparison(
      pixels(.uint8, [5, 6, 3, 6] as [UInt8]), expected: pixels(.uint8, [5, 7, 4, 5] as [UInt8]))
    #expect(
      seen
        == PixelComparison(
          comparedPixels: 4, differingPixels: 3, largestDifference: 1, meanDifference: 0.75,
          worst: .init(x: 1, y: 0, band: 0, expected: 7, got: 6)))
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

  @Test func `an imaginary part is a sample too`() {
    let seen = PixelComparison(
      pixels(.complex64, [1, 2, 3, 4, 5, 6, 7, 9] as [Float], bands: 2),
      expected: pixels(.complex64, [1, 2, 3, 4, 5, 6, 7, 8] as [Float], bands: 2))
    #expect(seen.worst == .init(x: 1, y: 0, band: 3, expected: 8, got: 9))
  }

  @Test func `two different NaN are no difference, and none is the worst`() {
    let seen = PixelComparison(
      pixels(.float64, [.nan, 1] as [Double]), expected: pixels(.float64, [-.nan, 1] as [Double]))
    #expect(seen.worst == nil && seen.meanDifference == 0 && seen.largestDifference == 0)
  }
}
