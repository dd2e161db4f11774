import Foundation
import Testing

@testable import ZoomGeometry

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
    let upright = Raster(numbered: try PixelSize(5, 3)).turned(orientation).rows
    let sides: [String: [Int]] = [
      "top": upright[0], "bottom": upright[upright.count - 1],
      "left": upright.map { $0[0] }, "right": upright.map { $0[$0.count - 1] },
    ]
    #expect(sides[row]?.sorted() == [0, 1, 2, 3, 4])
    #expect(sides[column]?.sorted() == [0, 5, 10])
  }

  @Test(arguments: Orientation.allCases)
  func `the upright size is that of the turned picture`(orientation: Orientation) throws {
    let size = try PixelSize(5, 3)
    let upright = Raster(numbered: size).turned(orientation)
    #expect(orientation.uprightSize(ofStored: size).height == upright.rows.count)
    #expect(orientation.uprightSize(ofStored: size).width == upright.rows[0].count)
    #expect(orientation.swapsAxes == (upright.rows.count == 5))
  }

  @Test(arguments: Orientation.allCases)
  func `the inverse turns an upright picture back`(orientation: Orientation) throws {
    let stored = Raster(numbered: try PixelSize(5, 3))
    #expect(stored.turned(orientation).turned(orientation.inverse) == stored)
    #expect(orientation.inverse.inverse == orientation)
  }
}

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
    let size = try PixelSize(sides.0, sides.1)
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
    let size = try PixelSize(sides.0, sides.1)
    let stored = Raster(numbered: size)
    let upright = stored.turned(orientation)
    for point in points(in: size) {
      let place = try orientation.uprightPoint(forStored: point, storedSize: size)
      #expect(upright.rows[place.y][place.x] == stored.rows[point.y][point.x])
      #expect(try orientation.storedPoint(forUpright: place, storedSize: size) == point)
    }
  }

  @Test(arguments: Orientation.allCases)
  func `what is not inside the picture is refused`(orientation: Orientation) throws {
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
    let size = try PixelSize(end, end)
    let corner = PixelPoint(x: end - 1, y: end - 1)
    #expect(
      try Orientation.down.storedPoint(forUpright: corner, storedSize: size)
        == PixelPoint(x: 0, y: 0))
  }
}

struct QuarterTurnTests {
  @Test func `turns add in a circle of four`() {
    for turn in QuarterTurn.allCases {
      #expect(turn + .none == turn)
      #expect(turn + turn.inverse == .none)
      #expect(turn + turn + turn + turn == .none)
      for other in QuarterTurn.allCases { #expect(turn + other == other + turn) }
    }
    #expect(QuarterTurn.clockwise + .clockwise == .half)
    #expect(QuarterTurn.clockwise.inverse == .counterclockwise)
    #expect(QuarterTurn.half.inverse == .half)
  }

  @Test func `odd turns swap width and height`() throws {
    let size = try PixelSize(3, 5)
    let view = ViewSize(3, 5)
    for turn in QuarterTurn.allCases {
      let swaps = turn == .clockwise || turn == .counterclockwise
      #expect(turn.swapsAxes == swaps)
      #expect(size.turned(by: turn) == (swaps ? size.transposed : size))
      #expect(view.turned(by: turn) == (swaps ? ViewSize(5, 3) : view))
    }
  }

  @Test func `angles are clockwise and at most half a turn`() {
    let quarter = Double.pi / 2
    #expect(QuarterTurn.allCases.map(\.radians) == [0, quarter, .pi, -quarter])
  }

  @Test func `turns are stored as degrees`() throws {
    let stored = try JSONEncoder().encode(QuarterTurn.allCases)
    #expect(String(decoding: stored, as: UTF8.self) == "[0,90,180,270]")
    #expect(try JSONDecoder().decode([QuarterTurn].self, from: stored) == QuarterTurn.allCases)
  }

  @Test(arguments: ["45", "-90", "360", "1", "90.5", "9223372036854775807", #""90""#])
  func `other degrees are refused`(degrees: String) {
    let stored = Data("[\(degrees)]".utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([QuarterTurn].self, from: stored)
    }
  }
}

struct QuarterTurnSweepTests {
  @Test(arguments: QuarterTurn.allCases, QuarterTurn.allCases)
  func `an animation turns the shorter way, arrives, and goes back the way it came`(
    start: QuarterTurn, end: QuarterTurn
  ) {
    let way = QuarterTurn.sweep(from: start.quarters, to: end.quarters)
    #expect(abs(way) <= 2)
    #expect((Int(way) & 3) == ((end + start.inverse).rawValue))
    #expect(QuarterTurn.sweep(from: end.quarters, to: start.quarters) == -way)
  }

  @Test func `ZV-B10: from upright to upside down it goes clockwise`() {
    #expect(QuarterTurn.sweep(from: 0, to: 2) == 2)
    #expect(QuarterTurn.sweep(from: 2, to: 0) == -2)
  }
}

struct ScreenOrientationTests {
  @Test func `the numbers are UIKit's`() {
    #expect(DeviceOrientation.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6])
    #expect(DeviceOrientation.landscapeLeft.rawValue == 3)
    #expect(InterfaceOrientation.landscapeRight.rawValue == 3)
    #expect(InterfaceOrientation.landscapeLeft.rawValue == 4)
  }

  @Test func `by their numbers device and interface agree, by their names they do not`() {
    for interface in InterfaceOrientation.allCases {
      #expect(DeviceOrientation(upright: interface).rawValue == interface.rawValue)
    }
    #expect(DeviceOrientation(upright: .landscapeLeft) == .landscapeRight)
  }

  @Test func `held to the left content turns clockwise, and flat says nothing`() {
    let turns = DeviceOrientation.allCases.map(\.contentTurn)
    #expect(turns == [nil, QuarterTurn.none, .half, .clockwise, .counterclockwise, nil, nil])
  }
}

/// A picture whose pixels are numbers, turned by moving them one by one.
struct Raster: Equatable {
  let rows: [[Int]]

  init(rows: [[Int]]) { self.rows = rows }

  /// A picture in which every pixel differs from all others.
  init(numbered size: PixelSize) {
    rows = (0..<size.height).map { y in
      (0..<size.width).map { x in y * size.width + x }
    }
  }

  /// A quarter turn clockwise: the left column, read upwards, becomes the top row.
  var rotated: Raster {
    Raster(rows: rows[0].indices.map { column in rows.reversed().map { $0[column] } })
  }

  /// Left and right exchanged.
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
