import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct ImageReadTests {
  /// Returns 13x11 pixels of three bands whose bytes identify their place.
  static func counted(_ width: Int = 13, _ height: Int = 11) throws -> Pixels {
    let bytes = (0..<width * height * 3).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    return try Pixels(width, height, 3, bytes: bytes)
  }

  @Test func `every region of a small image is its crop`() throws {
    let pixels = try Self.counted()
    let whole = PixelRegion(whole: pixels.size)
    let image = try Image(pixels)
    for x in 0..<13 {
      for y in 0..<11 {
        for (width, height) in [(1, 1), (13 - x, 11 - y), (min(4, 13 - x), min(3, 11 - y))] {
          let region = try PixelRegion(x: x, y: y, width: width, height: height)
          #expect(try image.read(region) == pixels.crop(region, from: whole))
        }
      }
    }
  }

  @Test func `a region that is not inside is refused`() throws {
    let image = try Image(Self.counted())
    for (x, y, width, height) in [(13, 0, 1, 1), (0, 0, 14, 1), (-1, 0, 2, 1), (0, 10, 1, 2)] {
      let region = try PixelRegion(x: x, y: y, width: width, height: height)
      expectError(.outside) { try image.read(region) }
    }
  }

  /// The file has strips of 8 rows, whose borders are not the borders of the region.
  @Test(arguments: [0, 1, 7, 8, 9, 40])
  func `reading from a decoder in strips gives the same rows`(_ top: Int) throws {
    let folder = try TestFolder()
    let path = folder.path.appending("a.png")
    let pixels = try Self.counted(37, 50)
    try Image(pixels).write(to: path, as: .png(compression: 1, interlaced: false))
    for height in [1, 7, 8, 9, 10] {
      let region = try PixelRegion(x: 3, y: top, width: 30, height: height)
      let image = try Image.open(path, access: .sequential)
      let read = try image.read(region)
      #expect(read == pixels.crop(region))
    }
  }
}
