import SystemPackage
import TestSupport
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import PixelLaws

@Suite struct MismatchSheetTests {
  @Test func `a sheet shows expected, got and difference, whatever the form`() throws {
    let (noise, grey) = (painted(9, 6), painted(5, 8, bands: 1, .sixteen))
    for (got, expected) in [(noise, noise.raised(by: 1)), (grey, noise), (noise, grey)] {
      let sheet = try MismatchSheet(mismatch(got, expected)).pixels()
      // Three cells, and four gaps of 8 px.
      #expect((sheet.size.width - 32).isMultiple(of: 3) && sheet.bands == 3)
      let magenta = stride(from: 0, to: sheet.bytes.count, by: 3).contains {
        sheet.bytes[$0] == 255 && sheet.bytes[$0 + 1] == 0 && sheet.bytes[$0 + 2] == 255
      }
      #expect(magenta)
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

  @Test func `a region of one pixel is drawn once more with what is around it, and its place`()
    throws
  {
    let folder = try TestFolder()
    let path = folder.path.appending("picture.png")
    try Image(painted(60, 50)).writeForScreen(to: path)
    let reference = try ReferencePicture(path)
    let region = PixelRegion.checked(30, 20, 1, 1)
    let one = try reference.whole().cut(region)
    var found = mismatch(one.raised(by: 9), one)
    #expect(try MismatchSheet(found).pixels().size == size(32 + 3 * 384, 16 + 384))
    let place = PixelPlace(
      region: region, reference: reference, source: try NaivePipeline().open(path))
    #expect(place.surroundings(side: 33) == .checked(14, 4, 33, 33))
    found.place = place
    // 33 pixels are enlarged to 363, and the picture to 360x300.
    #expect(
      try MismatchSheet(found).pixels().size == size(32 + 3 * 384, 32 + 384 + 363 + 300))
  }

  /// Returns the colour of a picture's pixel in a cell of a sheet.
  private static func colour(_ sheet: Pixels, cell: Int, x: Int, y: Int, factor: Int) -> [UInt8] {
    let side = (sheet.size.width - 32) / 3
    // The last pixel of the enlarged square, so that a smaller square is noticed.
    let column = 8 + cell * (side + 8) + x * factor + factor - 1
    let at = ((8 + y * factor + factor - 1) * sheet.size.width + column) * 3
    return Array(sheet.bytes[at..<at + 3])
  }

  @Test func `a sheet shows every pixel of both, and marks those that differ`() throws {
    let expected = painted(7, 4)
    var bytes = painted(5, 6).bytes
    for y in 0..<4 {
      for x in 0..<5 {
        for band in 0..<3 { bytes[(y * 5 + x) * 3 + band] = expected.bytes[(y * 7 + x) * 3 + band] }
      }
    }
    // Only the last band at column 4, row 1.
    bytes[(1 * 5 + 4) * 3 + 2] ^= 1
    let got = expected.with(size(5, 6), bytes)
    let sheet = try MismatchSheet(mismatch(got, expected)).pixels()
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
    let colour = painted(6, 5, .eight, .flat(0))
    let deep = painted(6, 5, .sixteen, .flat(0))
    let grey = painted(6, 5, bands: 1, .eight, .flat(0))
    for (got, expected) in [(colour, deep), (deep, colour), (grey, colour), (colour, grey)] {
      let sheet = try MismatchSheet(mismatch(got, expected)).pixels()
      for (x, y) in [(0, 0), (5, 4)] {
        #expect(Self.colour(sheet, cell: 2, x: x, y: y, factor: 64) == [255, 0, 255])
      }
    }
  }

  @Test(arguments: [
    (5, 3, 76), (3, 5, 76), (77, 2, 4), (96, 2, 4), (97, 2, 3), (192, 1, 2), (193, 1, 1),
    (1, 192, 2), (384, 1, 1), (400, 1, 1), (1, 400, 1),
  ]) func `a picture is enlarged as often as its longer side goes into 384, and never reduced`(
    width: Int, height: Int, factor: Int
  ) throws {
    let noise = painted(width, height)
    let sheet = try MismatchSheet(mismatch(noise, noise)).pixels()
    #expect(
      try sheet.size == PixelSize(width: 32 + 3 * width * factor, height: 16 + height * factor))
    for (x, y) in [(0, 0), (width - 1, height - 1)] {
      let at = (y * width + x) * 3
      #expect(
        Self.colour(sheet, cell: 1, x: x, y: y, factor: factor) == Array(noise.bytes[at..<at + 3]))
    }
  }

  /// Sizes with every combination of narrower or wider and lower or higher.
  private static let sizes = [(7, 4), (5, 6), (7, 6), (5, 4), (4, 7), (6, 5)].map { size($0, $1) }

  /// With the same colour everywhere, only the limits distinguish the places.
  @Test(arguments: Self.sizes, Self.sizes)
  func `of flat pictures exactly what only one has is marked`(
    got: PixelSize, expected: PixelSize
  ) throws {
    let (one, other) = (
      painted(got.width, got.height, .eight, .flat(90)),
      painted(expected.width, expected.height, .eight, .flat(90))
    )
    let sheet = try MismatchSheet(mismatch(one, other)).pixels()
    let width = [got.width, expected.width].max() ?? 0
    let height = [got.height, expected.height].max() ?? 0
    let factor = 384 / ([width, height].max() ?? 0)
    #expect(
      try sheet.size == PixelSize(width: 32 + 3 * width * factor, height: 16 + height * factor))
    for y in 0..<height {
      for x in 0..<width {
        let isGot = x < got.width && y < got.height
        let isExpected = x < expected.width && y < expected.height
        let colours = (0..<3).map { Self.colour(sheet, cell: $0, x: x, y: y, factor: factor) }
        #expect(colours[0] == [UInt8](repeating: isExpected ? 90 : 64, count: 3))
        #expect(colours[1] == [UInt8](repeating: isGot ? 90 : 64, count: 3))
        #expect(colours[2] == (isGot && isExpected ? [30, 30, 30] : [255, 0, 255]))
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4], [SampleFormat.uint8, .uint16])
  func `a difference in any byte of a pixel marks that pixel and no other`(
    bands: Int, format: SampleFormat
  ) throws {
    let size = size(5, 3)
    let length = bands * format.byteCount
    let isColour = bands >= 3
    let name =
      switch format {
      case .uint8: isColour ? ColourInterpretation.srgb : .grey
      default: isColour ? .rgb16 : ColourInterpretation(rawValue: "grey16")
      }
    let expected = Pixels(
      size: size, bands: bands, format: format, interpretation: name,
      bytes: (0..<size.area * length).map { UInt8($0 * 37 % 251) })
    for (x, y) in [(0, 0), (4, 0), (0, 2), (4, 2), (2, 1)] {
      for byte in 0..<length {
        var bytes = expected.bytes
        bytes[(y * 5 + x) * length + byte] ^= 1
        let sheet = try MismatchSheet(mismatch(expected.with(size, bytes), expected)).pixels()
        let marked = (0..<size.area).filter {
          Self.colour(sheet, cell: 2, x: $0 % 5, y: $0 / 5, factor: 76) == [255, 0, 255]
        }
        #expect(marked == [y * 5 + x], "byte \(byte)")
      }
    }
  }

  /// An interpolating kernel would add levels between or beyond the two levels.
  @Test(arguments: [192, 128, 96])
  func `an enlarged pixel is a square of one colour`(width: Int) throws {
    let stripes = painted(width, 6, .eight, .checker(1))
    let sheet = try MismatchSheet(mismatch(stripes, stripes)).pixels()
    let factor = 384 / width
    #expect(sheet.size.width == 32 + 3 * 384)
    for y in 0..<6 * factor {
      let row = ((8 + y) * sheet.size.width + 8) * 3
      let shown = (0..<384).map { sheet.bytes[row + $0 * 3] }
      let wanted = (0..<384).map { stripes.bytes[(y / factor * width + $0 / factor) * 3] }
      #expect(shown == wanted)
    }
  }
}
