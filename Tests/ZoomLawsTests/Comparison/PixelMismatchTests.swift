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
}
