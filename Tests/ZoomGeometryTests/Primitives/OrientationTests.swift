import Testing
import ZoomGeometry

struct OrientationTests {
  @Test func `the tags are 1 to 8`() {
    #expect(Orientation.allCases.map(\.rawValue) == Array(1...8))
    #expect(Orientation(rawValue: 0) == nil)
    #expect(Orientation(rawValue: 9) == nil)
  }

  /// EXIF 2.3, tag 0x0112: which side of the upright picture the stored row 0 and column 0 are.
  @Test(arguments: [
    (1, "top", "left"), (2, "top", "right"), (3, "bottom", "right"), (4, "bottom", "left"),
    (5, "left", "top"), (6, "right", "top"), (7, "right", "bottom"), (8, "left", "bottom"),
  ])
  func `the stored row 0 and column 0 are the sides that EXIF names`(
    tag: Int, row: String, column: String
  ) throws {
    let orientation = try #require(Orientation(rawValue: tag))
    let upright = Raster(numbered: try PixelSize(width: 5, height: 3)).turned(orientation).rows
    let sides: [String: [Int]] = [
      "top": upright[0], "bottom": upright[upright.count - 1],
      "left": upright.map { $0[0] }, "right": upright.map { $0[$0.count - 1] },
    ]
    #expect(sides[row]?.sorted() == [0, 1, 2, 3, 4])
    #expect(sides[column]?.sorted() == [0, 5, 10])
  }

  @Test(arguments: Orientation.allCases)
  func `the upright size is that of the turned picture`(orientation: Orientation) throws {
    let size = try PixelSize(width: 5, height: 3)
    let upright = Raster(numbered: size).turned(orientation)
    #expect(orientation.uprightSize(ofStored: size).height == upright.rows.count)
    #expect(orientation.uprightSize(ofStored: size).width == upright.rows[0].count)
    #expect(orientation.swapsAxes == (upright.rows.count == 5))
  }

  @Test(arguments: Orientation.allCases)
  func `the inverse turns an upright picture back`(orientation: Orientation) throws {
    let stored = Raster(numbered: try PixelSize(width: 5, height: 3))
    #expect(stored.turned(orientation).turned(orientation.inverse) == stored)
    #expect(orientation.inverse.inverse == orientation)
  }

  @Test func `the eight orientations are eight different transforms`() throws {
    let stored = Raster(numbered: try PixelSize(width: 3, height: 3))
    let turned = Orientation.allCases.map { stored.turned($0).rows }
    #expect(Set(turned).count == 8)
  }
}
