import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import PixelLaws

@Suite struct MismatchSheetTests {
  /// A sheet of one row: three cells, with gaps of 8 pixels between and around them.
  private struct Sheet {
    let pixels: Pixels
    let factor: Int

    init(_ got: Pixels, _ expected: Pixels) throws {
      pixels = try MismatchSheet(mismatch(got, expected)).pixels()
      let width = max(got.size.width, expected.size.width)
      let height = max(got.size.height, expected.size.height)
      factor = (pixels.size.width - 32) / 3 / width
      #expect(pixels.size == size(32 + 3 * width * factor, 16 + height * factor))
    }

    /// Returns the colours of a picture's pixel in the three cells.
    func colours(_ x: Int, _ y: Int) -> [[UInt8]] {
      let side = (pixels.size.width - 32) / 3
      return (0..<3).map { cell in
        // The last pixel of the enlarged square, so that a smaller square is noticed.
        let column = 8 + cell * (side + 8) + (x + 1) * factor - 1
        let at = ((8 + (y + 1) * factor - 1) * pixels.size.width + column) * 3
        return Array(pixels.bytes[at..<at + 3])
      }
    }
  }

  @Test func `a sheet is written as a picture`() throws {
    let folder = try TestFolder()
    let noise = painted(9, 6)
    let path = folder.path.appending("mismatch.png")
    try MismatchSheet(mismatch(noise.raised(by: 9), noise)).write(to: path)
    #expect(try Picture(path).bands == 3)
    #expect(try folder.names() == ["mismatch.png"])
  }

  @Test func `a region of one pixel is also drawn with its surroundings and its place`() throws {
    let folder = try TestFolder()
    let path = folder.path.appending("picture.png")
    try Image(painted(60, 50)).writeForScreen(to: path)
    let reference = try ReferencePicture(path)
    let region = PixelRegion.checked(30, 20, 1, 1)
    let one = try reference.whole().cut(region)
    var found = mismatch(one.raised(by: 9), one)
    #expect(try MismatchSheet(found).pixels().size == size(32 + 3 * 384, 16 + 384))
    found.place = try (region: region, reference: reference, source: NaivePipeline().open(path))
    // 33 pixels are enlarged to 363, and the picture to 360x300.
    #expect(
      try MismatchSheet(found).pixels().size == size(32 + 3 * 384, 32 + 384 + 363 + 300))
  }

  /// Sizes with every combination of narrower or wider and lower or higher.
  private static let sizes = [(7, 4), (5, 6), (7, 6), (5, 4), (4, 7), (6, 5)]

  @Test(arguments: Self.sizes, Self.sizes)
  func `a sheet shows every pixel of both, and marks those that differ`(
    got: (Int, Int), expected: (Int, Int)
  ) throws {
    let wanted = painted(expected.0, expected.1)
    // Where both exist, the answer differs from the expected pixels in one byte.
    var bytes = painted(got.0, got.1).bytes
    for y in 0..<min(got.1, expected.1) {
      for byte in 0..<min(got.0, expected.0) * 3 {
        bytes[y * got.0 * 3 + byte] = wanted.bytes[y * expected.0 * 3 + byte]
      }
    }
    bytes[(got.0 + 3) * 3 + 2] ^= 1
    let answer = wanted.with(size(got.0, got.1), bytes)
    let sheet = try Sheet(answer, wanted)
    #expect(sheet.factor == 384 / max(got.0, got.1, expected.0, expected.1))
    for y in 0..<max(got.1, expected.1) {
      for x in 0..<max(got.0, expected.0) {
        func shown(_ pixels: Pixels) -> [UInt8]? {
          guard x < pixels.size.width, y < pixels.size.height else { return nil }
          let at = (y * pixels.size.width + x) * 3
          return Array(pixels.bytes[at..<at + 3])
        }
        let colours = sheet.colours(x, y)
        #expect(colours[0] == shown(wanted) ?? [64, 64, 64])
        #expect(colours[1] == shown(answer) ?? [64, 64, 64])
        if let one = shown(answer), one == shown(wanted) {
          let third = UInt8(one.reduce(0) { $0 + Int($1) } / 9)
          #expect(colours[2] == [third, third, third])
        } else {
          #expect(colours[2] == [255, 0, 255])
        }
      }
    }
  }

  @Test func `if bands or formats differ, every pixel is marked`() throws {
    let colour = painted(6, 5, .eight, .flat(0))
    let deep = painted(6, 5, .sixteen, .flat(0))
    let grey = painted(6, 5, bands: 1, .eight, .flat(0))
    for (got, expected) in [(colour, deep), (deep, colour), (grey, colour), (colour, grey)] {
      let sheet = try Sheet(got, expected)
      for (x, y) in [(0, 0), (5, 4)] { #expect(sheet.colours(x, y)[2] == [255, 0, 255]) }
    }
  }

  @Test(arguments: [
    (5, 3, 76), (3, 5, 76), (77, 2, 4), (96, 2, 4), (97, 2, 3), (192, 1, 2), (193, 1, 1),
    (1, 192, 2), (384, 1, 1), (400, 1, 1), (1, 400, 1),
  ]) func `a picture is enlarged as often as its longer side goes into 384, and never reduced`(
    width: Int, height: Int, factor: Int
  ) throws {
    let noise = painted(width, height)
    #expect(try Sheet(noise, noise).factor == factor)
  }

  @Test func `a difference in any byte of a pixel marks that pixel and no other`() throws {
    let expected = painted(5, 3, .sixteen)
    for place in 0..<15 {
      for byte in 0..<6 {
        var bytes = expected.bytes
        bytes[place * 6 + byte] ^= 1
        let sheet = try Sheet(expected.with(expected.size, bytes), expected)
        let marked = (0..<15).filter { sheet.colours($0 % 5, $0 / 5)[2] == [255, 0, 255] }
        #expect(marked == [place], "byte \(byte)")
      }
    }
  }
}
