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

  @Test func `for another size it names only the sizes, and for equal pixels only the demand`() {
    let noise = painted(9, 9)
    #expect(
      mismatch(noise.cut(.checked(0, 0, 8, 9)), noise).description
        == "the peek is wrong: size 8x9 instead of 9x9")
    #expect(mismatch(noise, noise).description == "the peek is wrong")
  }

  @Test(arguments: [(1, false), (2, true), (3, true), (4, true)])
  func `the band is named if there is more than one`(bands: Int, isNamed: Bool) {
    let flat = pixels(.uint8, [UInt8](repeating: 7, count: 3 * bands), bands: bands)
    for count in [1, 2] {
      let other = flat.with(
        flat.size,
        flat.bytes.indices.map { $0 % bands == bands - 1 && $0 >= (3 - count) * bands ? 9 : 7 })
      #expect(
        mismatch(other, flat).description
          == "the peek is wrong: row 0, column \(3 - count) of the answer differs by 2"
          + (isNamed ? " in band \(bands - 1)" : "") + " (9 instead of 7); \(count) of 3 pixels "
          + (count == 1 ? "does" : "do"))
    }
  }

  /// Returns the description of a mismatch with a figure or a shift.
  private static func words(_ figure: Double = 0, shift: PixelShift? = nil, side: Int) -> String {
    let pixels = painted(side, side, bands: 1)
    var comparison = PixelComparison(pixels, expected: pixels)
    comparison.largestDifference = figure
    comparison.worst = .init(x: 3, y: 1, band: 0, expected: 0, got: figure)
    return PixelMismatch(
      "it is wrong", got: pixels, expected: pixels, comparison: comparison, shift: shift
    ).description
  }

  @Test(arguments: [
    (0.0, "0"), (5, "5"), (-5, "-5"), (0.5, "0.5"), (-0.5, "-0.5"), (0.05, "0.05"),
    (-0.01, "-0.01"), (0.11, "0.11"), (-12.34, "-12.34"), (0.004, "0"), (0.006, "0.01"),
    (1.999, "2"), (0.996, "1"), (3.1, "3.1"), (3.09, "3.09"), (-1e11, "-100000000000"),
    (999_999_999_999.0, "999999999999"), (1e12, "1000000000000.0"), (-1e12, "-1000000000000.0"),
    (.infinity, "inf"), (.nan, "nan"),
  ]) func `a number has two decimals at most`(number: Double, text: String) {
    #expect(Self.words(number, side: 4).contains("differs by \(text) (\(text) instead of 0)"))
  }

  /// In a small picture some shift fits by chance, so it must explain nearly all of the difference.
  @Test(arguments: [
    (32, 0.05, 0, 0.6, true), (32, 0, -0.05, 0.6, true), (32, 0.0499, -0.0499, 1, false),
    (32, 3, 4, 0.51, true), (32, 3, 4, 0.5, false), (32, -3, 0.01, 1, true),
    (31, 3, 4, 0.9, false), (31, 3, 4, 0.91, true),
  ]) func `a shift is named if it is one and explains most of the difference`(
    side: Int, x: Double, y: Double, explained: Double, isNamed: Bool
  ) {
    let words = Self.words(shift: PixelShift(x: x, y: y, explained: explained), side: side)
    #expect(words.contains("; the content is shifted by (") == isNamed)
  }
}
