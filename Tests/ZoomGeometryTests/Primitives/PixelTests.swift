import Foundation
import Testing

@testable import ZoomGeometry

private func regions(at places: ClosedRange<Int>, upTo side: Int) -> [PixelRegion] {
  var regions: [PixelRegion] = []
  for x in places {
    for y in places {
      for width in 1...side {
        for height in 1...side { regions.append(PixelRegion(x, y, width, height)) }
      }
    }
  }
  return regions
}

struct PixelRegionTests {
  @Test func `a region prints as in ImageMagick`() throws {
    let region = try PixelRegion(x: 612, y: 413, width: 375, height: 376)
    #expect(region.description == "375x376+612+413")
    #expect(try PixelRegion(x: -3, y: 0, width: 1, height: 2).description == "1x2-3+0")
    #expect(try PixelRegion(x: 0, y: -1, width: 1, height: 2).description == "1x2+0-1")
    #expect(try PixelRegion(x: -1, y: 1, width: 1, height: 2).description == "1x2-1+1")
  }

  @Test func `rows outside the region, or an empty range of rows, trap`() async {
    await #expect(processExitsWith: .failure) { _ = PixelRegion(12, 3, 20, 9).rows(2..<5) }
    await #expect(processExitsWith: .failure) { _ = PixelRegion(12, 3, 20, 9).rows(5..<13) }
    await #expect(processExitsWith: .failure) { _ = PixelRegion(12, 3, 20, 9).rows(5..<5) }
  }

  @Test func `an origin right of the region's corner, below it or negative traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(12, 3, 20, 9).relative(to: (13, 0))
    }
    await #expect(processExitsWith: .failure) { _ = PixelRegion(12, 3, 20, 9).relative(to: (0, 4)) }
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(12, 3, 20, 9).relative(to: (-1, 0))
    }
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(12, 3, 20, 9).relative(to: (0, -1))
    }
  }

  @Test func `the blocks are those that hold a pixel of the region`() {
    for x in 0...9 {
      for y in 0...4 {
        for (width, height) in [(1, 1), (1, 9), (7, 2), (16, 8)] {
          let region = PixelRegion(x, y, width, height)
          for factor in [1, 2, 3, 4, 8] {
            let blocks = region.reduced(by: factor)
            #expect(Set(blocks.x..<blocks.maxX) == Set((x..<region.maxX).map { $0 / factor }))
            #expect(Set(blocks.y..<blocks.maxY) == Set((y..<region.maxY).map { $0 / factor }))
          }
        }
      }
    }
  }

  @Test func `a factor below 1, or a region that begins before the picture, traps`() async {
    await #expect(processExitsWith: .failure) { _ = PixelRegion(0, 0, 20, 9).reduced(by: -2) }
    await #expect(processExitsWith: .failure) { _ = PixelRegion(-1, 0, 20, 9).reduced(by: 2) }
    await #expect(processExitsWith: .failure) { _ = PixelRegion(0, -1, 20, 9).reduced(by: 2) }
  }
}

/// Tests that the mapping's formulas agree with pictures that are turned pixel by pixel.
struct OrientationTests {
  static let sizes: [(Int, Int)] = [(5, 3), (3, 5), (1, 4), (4, 1), (2, 2), (1, 1)]

  @Test(arguments: Orientation.allCases, sizes)
  func `cropping stored pixels, then turning, gives the same as turning, then cropping`(
    orientation: Orientation, sides: (Int, Int)
  ) throws {
    let size = try PixelSize(sides.0, sides.1)
    let stored = Raster(numbered: size)
    let upright = stored.turned(orientation)
    let uprightSize = orientation.uprightSize(ofStored: size)
    for region in regions(at: 0...4, upTo: 5) where region.isInside(uprightSize) {
      let source = try orientation.storedRegion(forUpright: region, storedSize: size)
      #expect(source.isInside(size))
      #expect(stored.cropped(source).turned(orientation) == upright.cropped(region), "\(region)")
      #expect(try orientation.uprightRegion(forStored: source, storedSize: size) == region)
      guard region.area == 1 else { continue }
      let pixel = PixelPoint(x: region.x, y: region.y)
      #expect(
        try orientation.storedPoint(forUpright: pixel, storedSize: size)
          == PixelPoint(x: source.x, y: source.y))
    }
  }

  @Test(arguments: Orientation.allCases)
  func `a region or point outside the picture is refused`(orientation: Orientation) throws {
    let size = try PixelSize(5, 3)
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
    for point in [(upright.width, 0), (0, -1), (0, upright.height), (.max, .min)] {
      expectRefused("point", .outside(upright)) {
        try orientation.storedPoint(
          forUpright: PixelPoint(x: point.0, y: point.1), storedSize: size)
      }
    }
  }
}

struct QuarterTurnTests {
  @Test func `turns are stored as degrees`() throws {
    let stored = try JSONEncoder().encode(QuarterTurn.allCases)
    #expect(String(decoding: stored, as: UTF8.self) == "[0,90,180,270]")
    #expect(try JSONDecoder().decode([QuarterTurn].self, from: stored) == QuarterTurn.allCases)
  }

  @Test(arguments: ["45", "-90", "360", "1", "90.5", "9223372036854775807", #""90""#])
  func `other degrees are refused`(degrees: String) {
    #expect(throws: DecodingError.self) { try decoded([QuarterTurn].self, "[\(degrees)]") }
  }
}

struct ScreenOrientationTests {
  @Test func `device and interface orientations agree by number, but not by name`() {
    for number in -1...5 {
      let interface = InterfaceOrientation(number: number)
      #expect(DeviceOrientation(upright: interface) == DeviceOrientation(number: number % 5))
    }
    #expect(DeviceOrientation(number: 3) == .landscapeLeft)
    #expect(InterfaceOrientation(number: 3) == .landscapeRight)
    #expect(DeviceOrientation(number: 6) == .faceDown && DeviceOrientation(number: 7) == .unknown)
  }

  @Test func `content turns clockwise for landscapeLeft, and a flat device determines no turn`() {
    let turns = DeviceOrientation.allCases.map(\.contentTurn)
    #expect(turns == [nil, QuarterTurn.none, .half, .clockwise, .counterclockwise, nil, nil])
  }
}

/// A picture whose pixels are numbers, turned by moving them one by one.
struct Raster: Equatable {
  let rows: [[Int]]

  init(rows: [[Int]]) { self.rows = rows }

  init(numbered size: PixelSize) {
    rows = (0..<size.height).map { y in
      (0..<size.width).map { x in y * size.width + x }
    }
  }

  /// The picture turned clockwise: the left column, read upwards, becomes the top row.
  var rotated: Raster {
    Raster(rows: rows[0].indices.map { column in rows.reversed().map { $0[column] } })
  }

  var mirrored: Raster { Raster(rows: rows.map { $0.reversed() }) }

  func turned(_ orientation: Orientation) -> Raster {
    let rotated = (0..<orientation.quarterTurnsClockwise).reduce(self) { raster, _ in
      raster.rotated
    }
    return orientation.mirrorsHorizontally ? rotated.mirrored : rotated
  }

  func cropped(_ region: PixelRegion) -> Raster {
    Raster(rows: rows[region.y..<region.maxY].map { Array($0[region.x..<region.maxX]) })
  }
}
