import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import ZoomLaws

@Suite struct PixelMismatchTests {
  private static func mismatch(_ got: Pixels, _ expected: Pixels) -> PixelMismatch {
    PixelMismatch(
      "the peek is wrong", got: got, expected: expected,
      comparison: PixelComparison(got, expected: expected),
      shift: PixelShift(got, expected: expected))
  }

  @Test func `it names place, band, levels and shift`() {
    let noise = TestPicture(size: PixelRegion.checked(0, 0, 40, 30).size).storedPixels()
    let words = Self.mismatch(
      noise.cut(.checked(1, 2, 30, 20)), noise.cut(.checked(4, 2, 30, 20))
    ).description
    #expect(words.hasPrefix("the peek is wrong: row "))
    #expect(words.contains(" in band "))
    #expect(words.hasSuffix("; the content is shifted by (3, 0) px"))
  }

  @Test func `it names another size without comparing pixels`() {
    let noise = TestPicture(size: PixelRegion.checked(0, 0, 9, 9).size).storedPixels()
    #expect(
      Self.mismatch(noise.cut(.checked(0, 0, 8, 9)), noise).description
        == "the peek is wrong: size 8x9 instead of 9x9")
  }

  /// The words for figures that are given.
  private static func words(
    largest: Double = 0, got: Double = 0, expected: Double = 0, bands: Int = 1,
    differing: Int = 2, shift: PixelShift? = nil
  ) -> String {
    let pixels = TestPicture(size: PixelRegion.checked(0, 0, 4, 3).size, bands: bands)
      .storedPixels()
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

  @Test(arguments: [
    (0.0, "0"), (5, "5"), (-5, "-5"), (0.5, "0.5"), (-0.5, "-0.5"), (0.05, "0.05"),
    (12.34, "12.34"), (-12.34, "-12.34"), (0.004, "0"), (0.006, "0.01"), (1.999, "2"),
    (0.996, "1"), (3.1, "3.1"), (3.09, "3.09"), (3.11, "3.11"), (3.9, "3.9"),
    (-1e11, "-100000000000"), (999_999_999_999.0, "999999999999"), (1e12, "1000000000000.0"),
    (-1e12, "-1000000000000.0"), (.infinity, "inf"), (.nan, "nan"),
  ])
  func `a number has two decimals at most`(number: Double, text: String) {
    #expect(Self.words(got: number).contains("differs by 0 (\(text) instead of 0)"))
    #expect(Self.words(largest: number).contains("differs by \(text) (0 instead of 0)"))
  }

  @Test(arguments: [
    (0.05, 0, 0.6, true), (0, -0.05, 0.6, true), (0.0499, -0.0499, 1, false),
    (3, 4, 0.51, true), (3, 4, 0.5, false), (3, 4, 0.49, false), (-3, 0.01, 1, true),
  ])
  func `a shift is named if it is one and explains most of the difference`(
    x: Double, y: Double, explained: Double, isNamed: Bool
  ) {
    let words = Self.words(shift: PixelShift(x: x, y: y, explained: explained))
    #expect(words.contains("; the content is shifted by (") == isNamed)
  }

  @Test func `what differs in nothing is the demand alone`() {
    let pixels = TestPicture(size: PixelRegion.checked(0, 0, 4, 3).size).storedPixels()
    #expect(Self.mismatch(pixels, pixels).description == "the peek is wrong")
  }

  @Test func `a sheet shows expected, got and difference, whatever the form`() throws {
    let noise = TestPicture(size: PixelRegion.checked(0, 0, 9, 6).size).storedPixels()
    let grey = TestPicture(
      size: PixelRegion.checked(0, 0, 5, 8).size, bands: 1, depth: .sixteen
    ).storedPixels()
    for (got, expected) in [(noise, noise.raised(by: 1)), (grey, noise), (noise, grey)] {
      let sheet = try MismatchSheet(Self.mismatch(got, expected)).pixels()
      // Three cells and four gaps of 8 px across.
      #expect((sheet.size.width - 32).isMultiple(of: 3) && sheet.bands == 3)
      let magenta = stride(from: 0, to: sheet.bytes.count, by: 3).contains {
        sheet.bytes[$0] == 255 && sheet.bytes[$0 + 1] == 0 && sheet.bytes[$0 + 2] == 255
      }
      #expect(magenta)
    }
  }

  @Test func `a sheet is written as a picture`() throws {
    let folder = try TestFolder()
    let noise = TestPicture(size: PixelRegion.checked(0, 0, 9, 6).size).storedPixels()
    let path = folder.path.appending("mismatch.png")
    try MismatchSheet(Self.mismatch(noise.raised(by: 9), noise)).write(to: path)
    #expect(try Picture(path).bands == 3)
    #expect(try folder.names() == ["mismatch.png"])
  }

  /// The colour at a place of a picture that a sheet shows in a cell.
  private static func colour(
    _ sheet: Pixels, cell: Int, x: Int, y: Int, factor: Int
  ) -> [UInt8] {
    let side = (sheet.size.width - 32) / 3
    // The last pixel of the square that stands for one: a square too small shows.
    let column = 8 + cell * (side + 8) + x * factor + factor - 1
    let at = ((8 + y * factor + factor - 1) * sheet.size.width + column) * 3
    return Array(sheet.bytes[at..<at + 3])
  }

  @Test func `a sheet shows every pixel of both, and marks those that differ`() throws {
    let expected = TestPicture(size: PixelRegion.checked(0, 0, 7, 4).size).storedPixels()
    var bytes = TestPicture(size: PixelRegion.checked(0, 0, 5, 6).size).storedPixels().bytes
    for y in 0..<4 {
      for x in 0..<5 {
        for band in 0..<3 { bytes[(y * 5 + x) * 3 + band] = expected.bytes[(y * 7 + x) * 3 + band] }
      }
    }
    // Column 4, row 1: its last band only.
    bytes[(1 * 5 + 4) * 3 + 2] ^= 1
    let got = expected.with(PixelRegion.checked(0, 0, 5, 6).size, bytes)
    let sheet = try MismatchSheet(Self.mismatch(got, expected)).pixels()
    let factor = 384 / 7
    #expect(try sheet.size == PixelSize(width: 32 + 3 * 7 * factor, height: 16 + 6 * factor))
    for y in 0..<6 {
      for x in 0..<7 {
        func shown(_ pixels: Pixels) -> [UInt8]? {
          guard x < pixels.size.width, y < pixels.size.height else { return nil }
          let at = (y * pixels.size.width + x) * 3
          return Array(pixels.bytes[at..<at + 3])
        }
        let colours = (0..<3).map { Self.colour(sheet, cell: $0, x: x, y: y, factor: factor) }
        #expect(colours[0] == shown(expected) ?? [64, 64, 64])
        #expect(colours[1] == shown(got) ?? [64, 64, 64])
        if let one = shown(expected), let other = shown(got), one == other {
          let third = UInt8(other.reduce(0) { $0 + Int($1) } / 9)
          #expect(colours[2] == [third, third, third])
        } else {
          #expect(colours[2] == [255, 0, 255])
        }
      }
    }
  }

  @Test func `of other bands or samples everything is marked`() throws {
    let size = PixelRegion.checked(0, 0, 6, 5).size
    let colour = TestPicture(size: size, content: .flat(0)).storedPixels()
    let deep = TestPicture(size: size, depth: .sixteen, content: .flat(0)).storedPixels()
    let grey = TestPicture(size: size, bands: 1, content: .flat(0)).storedPixels()
    for (got, expected) in [(colour, deep), (deep, colour), (grey, colour), (colour, grey)] {
      let sheet = try MismatchSheet(Self.mismatch(got, expected)).pixels()
      for (x, y) in [(0, 0), (5, 4)] {
        #expect(Self.colour(sheet, cell: 2, x: x, y: y, factor: 64) == [255, 0, 255])
      }
    }
  }

  @Test(arguments: [
    (5, 3, 76), (3, 5, 76), (77, 2, 4), (96, 2, 4), (97, 2, 3), (192, 1, 2), (193, 1, 1),
    (1, 192, 2), (384, 1, 1), (400, 1, 1), (1, 400, 1),
  ])
  func `a picture is enlarged as often as its longer side goes into 384, and never reduced`(
    width: Int, height: Int, factor: Int
  ) throws {
    let noise = TestPicture(size: PixelRegion.checked(0, 0, width, height).size).storedPixels()
    let sheet = try MismatchSheet(Self.mismatch(noise, noise)).pixels()
    #expect(
      try sheet.size == PixelSize(width: 32 + 3 * width * factor, height: 16 + height * factor))
    for (x, y) in [(0, 0), (width - 1, height - 1)] {
      let at = (y * width + x) * 3
      #expect(
        Self.colour(sheet, cell: 1, x: x, y: y, factor: factor) == Array(noise.bytes[at..<at + 3]))
    }
  }
}
