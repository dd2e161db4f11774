import PropertyTesting
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomLaws

@Suite struct PixelComparisonTests {
  private static func noise(
    _ width: Int, _ height: Int, bands: Int = 3, _ depth: TestPicture.Depth = .eight
  ) -> Pixels {
    TestPicture(
      size: PixelRegion.checked(0, 0, width, height).size, bands: bands, depth: depth
    ).storedPixels()
  }

  @Test func `a picture is the same as itself, and only as itself`() async {
    let pictures = Gen<TestPicture>.testPictures(PictureRange(sides: 1...24))
    let changes = zip(pictures, Gen<Int>.integer(in: 0...1 << 20), Gen<UInt8>.integer(in: 1...255))
    let report = await check("same", changes, settings: PropertySettings(cases: 60, seed: 1)) {
      input, _ in
      let (picture, place, change) = input
      let pixels = picture.storedPixels()
      try require(PixelComparison(pixels, expected: pixels).isSame)
      var bytes = pixels.bytes
      bytes[place % bytes.count] ^= change
      let seen = PixelComparison(pixels.with(pixels.size, bytes), expected: pixels)
      try require(!seen.isSame && seen.differingPixels == 1)
      let pixel = place % bytes.count / (pixels.bands * pixels.format.byteCount)
      try require(
        seen.worst?.x == pixel % pixels.size.width && seen.worst?.y == pixel / pixels.size.width)
    }
    #expect(report.verdict == .passed)
  }

  @Test func `differences are symmetric`() {
    let (one, other) = (Self.noise(20, 9), Self.noise(20, 9).raised(by: 3))
    let (there, back) = (
      PixelComparison(one, expected: other), PixelComparison(other, expected: one)
    )
    #expect(there.differingPixels == 180 && back.differingPixels == 180)
    #expect(there.largestDifference == back.largestDifference)
    #expect(there.meanDifference == back.meanDifference)
  }

  @Test func `the worst place is named with its band and levels`() {
    let black = TestPicture(
      size: PixelRegion.checked(0, 0, 7, 5).size, depth: .sixteen, content: .flat(0)
    ).storedPixels()
    var bytes = black.bytes
    // Column 4, row 3, band 1.
    let place = ((3 * 7 + 4) * 3 + 1) * 2
    (bytes[place], bytes[place + 1]) = (0x34, 0x12)
    bytes[0] = 9
    let seen = PixelComparison(black.with(black.size, bytes), expected: black)
    #expect(
      seen.worst == PixelComparison.Worst(x: 4, y: 3, band: 1, expected: 0, got: 0x1234))
    #expect(seen.differingPixels == 2 && seen.largestDifference == 0x1234)
    #expect(seen.meanDifference == Double(0x1234 + 9) / 105)
  }

  @Test func `another form is an answer and no trap`() {
    let wanted = Self.noise(8, 8)
    for other in [
      Self.noise(8, 7), Self.noise(9, 8), Self.noise(8, 8, bands: 1), Self.noise(8, 8, .sixteen),
    ] {
      let seen = PixelComparison(other, expected: wanted)
      #expect(seen.formDifference != nil && !seen.isSame && seen.comparedPixels == 0)
      #expect(PixelShift(other, expected: wanted) == nil)
    }
  }

  @Test func `numbers that are none differ without end, and not from each other`() {
    func floats(_ numbers: [Float]) -> Pixels {
      Pixels(
        size: PixelRegion.checked(0, 0, numbers.count, 1).size, bands: 1, format: .float32,
        interpretation: .grey, bytes: numbers.flatMap { withUnsafeBytes(of: $0) { Array($0) } })
    }
    let seen = PixelComparison(floats([1, .nan, 2]), expected: floats([1, 1, 2]))
    #expect(seen.largestDifference == .infinity && seen.differingPixels == 1)
    let signs = PixelComparison(floats([.nan]), expected: floats([-.nan]))
    #expect(signs.largestDifference == 0)
  }
}
