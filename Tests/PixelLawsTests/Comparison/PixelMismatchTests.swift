import Testing
import ZoomGeometry
import ZoomPipeline

@testable import PixelLaws

@Suite struct PixelMismatchTests {
  @Test func `it names place, band, levels and shift`() {
    let noise = painted(40, 30)
    let words = mismatch(noise.cut(.checked(1, 2, 30, 20)), noise.cut(.checked(4, 2, 30, 20)))
      .description
    #expect(words.hasPrefix("the peek is wrong: row "))
    #expect(words.contains(" in band "))
    #expect(words.hasSuffix("; the content is shifted by (3, 0) px"))
  }

  @Test func `it names another size without comparing pixels`() {
    let noise = painted(9, 9)
    #expect(
      mismatch(noise.cut(.checked(0, 0, 8, 9)), noise).description
        == "the peek is wrong: size 8x9 instead of 9x9")
  }

  /// Returns the description of a mismatch with the given figures.
  private static func words(
    largest: Double = 0, got: Double = 0, expected: Double = 0, bands: Int = 1,
    differing: Int = 2, shift: PixelShift? = nil, side: Int = 4
  ) -> String {
    let pixels = painted(side, side, bands: bands)
    return PixelMismatch(
      "it is wrong", got: pixels, expected: pixels,
      comparison: PixelComparison(
        comparedPixels: 12, differingPixels: differing, largestDifference: largest,
        meanDifference: 1, worst: .init(x: 3, y: 1, band: 2, expected: expected, got: got)),
      shift: shift
    ).description
  }

  @Test func `the words name row, column, band and how many pixels`() {
    #expect(
      Self.words(largest: 7, got: 9, expected: 2)
        == "it is wrong: row 1, column 3 of the answer differs by 7 (9 instead of 2); "
        + "2 of 12 pixels do")
    #expect(
      Self.words(largest: 7, got: 9, expected: 2, bands: 3, differing: 1)
        == "it is wrong: row 1, column 3 of the answer differs by 7 in band 2 "
        + "(9 instead of 2); 1 of 12 pixels does")
  }

  @Test(arguments: [(1, false), (2, true), (3, true), (4, true)])
  func `the band is named where there is more than one`(bands: Int, isNamed: Bool) {
    let flat = pixels(.uint8, [UInt8](repeating: 7, count: 2 * bands), bands: bands)
    let other = flat.with(flat.size, flat.bytes.dropLast() + [9])
    #expect(
      mismatch(other, flat).description
        == "the peek is wrong: row 0, column 1 of the answer differs by 2"
        + (isNamed ? " in band \(bands - 1)" : "") + " (9 instead of 7); 1 of 2 pixels does")
  }

  @Test(arguments: [
    (0.0, "0"), (5, "5"), (-5, "-5"), (0.5, "0.5"), (-0.5, "-0.5"), (0.05, "0.05"), (0.01, "0.01"),
    (-0.01, "-0.01"), (0.1, "0.1"), (-0.1, "-0.1"), (0.11, "0.11"), (0.09, "0.09"),
    (12.34, "12.34"), (-12.34, "-12.34"), (0.004, "0"), (0.006, "0.01"), (1.999, "2"), (0.996, "1"),
    (3.1, "3.1"), (3.09, "3.09"), (3.11, "3.11"), (3.9, "3.9"), (-1e11, "-100000000000"),
    (999_999_999_999.0, "999999999999"), (1e12, "1000000000000.0"), (-1e12, "-1000000000000.0"),
    (.infinity, "inf"), (.nan, "nan"),
  ]) func `a number has two decimals at most`(number: Double, text: String) {
    #expect(Self.words(got: number).contains("differs by 0 (\(text) instead of 0)"))
    #expect(Self.words(largest: number).contains("differs by \(text) (0 instead of 0)"))
  }

  @Test(arguments: [
    (0.05, 0, 0.6, true), (0, -0.05, 0.6, true), (0.0499, -0.0499, 1, false), (3, 4, 0.51, true),
    (3, 4, 0.5, false), (3, 4, 0.49, false), (-3, 0.01, 1, true),
  ]) func `a shift is named if it is one and explains most of the difference`(
    x: Double, y: Double, explained: Double, isNamed: Bool
  ) {
    let words = Self.words(shift: PixelShift(x: x, y: y, explained: explained), side: 32)
    #expect(words.contains("; the content is shifted by (") == isNamed)
  }

  @Test(arguments: [(31, 0.9, false), (31, 0.91, true), (32, 0.9, true)])
  func `in a small picture a shift has to explain nearly all, for some shift fits by chance`(
    side: Int, explained: Double, isNamed: Bool
  ) {
    let words = Self.words(shift: PixelShift(x: 3, y: 4, explained: explained), side: side)
    #expect(words.contains("; the content is shifted by (") == isNamed)
  }

  @Test func `what differs in nothing is the demand alone`() {
    let pixels = painted(4, 3)
    #expect(mismatch(pixels, pixels).description == "the peek is wrong")
  }
}
