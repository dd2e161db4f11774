import Testing
import ZoomGeometry

/// The mapping's formulas against pictures that are turned pixel by pixel.
struct OrientationMappingTests {
  static let sizes: [(Int, Int)] = [(5, 3), (3, 5), (1, 4), (4, 1), (2, 2), (1, 1)]

  func regions(in size: PixelSize) throws -> [PixelRegion] {
    var regions: [PixelRegion] = []
    for x in 0..<size.width {
      for y in 0..<size.height {
        for width in 1...(size.width - x) {
          for height in 1...(size.height - y) {
            regions.append(try PixelRegion(x: x, y: y, width: width, height: height))
          }
        }
      }
    }
    return regions
  }

  func points(in size: PixelSize) -> [PixelPoint] {
    (0..<size.height).flatMap { y in (0..<size.width).map { x in PixelPoint(x: x, y: y) } }
  }

  @Test(arguments: Orientation.allCases, sizes)
  func `cropping stored pixels and turning them is turning and then cropping`(
    orientation: Orientation, sides: (Int, Int)
  ) throws {
    let size = try PixelSize(width: sides.0, height: sides.1)
    let stored = Raster(numbered: size)
    let upright = stored.turned(orientation)
    for region in try regions(in: orientation.uprightSize(ofStored: size)) {
      let source = try orientation.storedRegion(forUpright: region, storedSize: size)
      #expect(source.isInside(size))
      #expect(stored.cropped(source).turned(orientation) == upright.cropped(region), "\(region)")
      #expect(try orientation.uprightRegion(forStored: source, storedSize: size) == region)
    }
  }

  @Test(arguments: Orientation.allCases, sizes)
  func `every pixel is found again at its other place`(
    orientation: Orientation, sides: (Int, Int)
  ) throws {
    let size = try PixelSize(width: sides.0, height: sides.1)
    let stored = Raster(numbered: size)
    let upright = stored.turned(orientation)
    for point in points(in: size) {
      let place = try orientation.uprightPoint(forStored: point, storedSize: size)
      #expect(upright.rows[place.y][place.x] == stored.rows[point.y][point.x])
      #expect(try orientation.storedPoint(forUpright: place, storedSize: size) == point)
    }
  }

  @Test(arguments: Orientation.allCases)
  func `a stored region is the bounding box of its pixels`(orientation: Orientation) throws {
    let size = try PixelSize(width: 5, height: 3)
    for region in try regions(in: orientation.uprightSize(ofStored: size)) {
      let source = try orientation.storedRegion(forUpright: region, storedSize: size)
      let pixels = try points(in: orientation.uprightSize(ofStored: size))
        .filter { region.contains(x: $0.x, y: $0.y) }
        .map { try orientation.storedPoint(forUpright: $0, storedSize: size) }
      #expect(pixels.map(\.x).min() == source.x)
      #expect(pixels.map(\.y).min() == source.y)
      #expect(pixels.map(\.x).max() == source.maxX - 1)
      #expect(pixels.map(\.y).max() == source.maxY - 1)
    }
  }

  @Test func `four quarter turns are none`() throws {
    let size = try PixelSize(width: 5, height: 3)
    for region in try regions(in: size) {
      var turned = region
      var turnedSize = size
      for _ in 1...4 {
        turned = try Orientation.right.uprightRegion(forStored: turned, storedSize: turnedSize)
        turnedSize = turnedSize.transposed
      }
      #expect(turned == region)
    }
  }

  @Test(arguments: Orientation.allCases)
  func `what is not inside the picture is refused`(orientation: Orientation) throws {
    let size = try PixelSize(width: 5, height: 3)
    let upright = orientation.uprightSize(ofStored: size)
    let wide = try PixelRegion(x: 1, y: 0, width: upright.width, height: 1)
    let error = #expect(throws: GeometryError.self) {
      try orientation.storedRegion(forUpright: wide, storedSize: size)
    }
    #expect(error?.reason == .outside(upright))
    #expect(error?.value == wide.description)
    let high = try PixelRegion(x: 0, y: 1, width: 1, height: 3)
    #expect(throws: GeometryError.self) {
      try orientation.uprightRegion(forStored: high, storedSize: size)
    }
    for point in [PixelPoint(x: 5, y: 0), PixelPoint(x: 0, y: -1), PixelPoint(x: .max, y: .min)] {
      #expect(throws: GeometryError.self) {
        try orientation.uprightPoint(forStored: point, storedSize: size)
      }
    }
    let corner = PixelPoint(x: upright.width, y: upright.height - 1)
    #expect(throws: GeometryError.self) {
      try orientation.storedPoint(forUpright: corner, storedSize: size)
    }
  }

  @Test func `the largest picture does not trap`() throws {
    let end = PixelSize.maximumSide
    let size = try PixelSize(width: end, height: end)
    let corner = PixelPoint(x: end - 1, y: end - 1)
    #expect(
      try Orientation.down.storedPoint(forUpright: corner, storedSize: size)
        == PixelPoint(x: 0, y: 0))
  }
}
