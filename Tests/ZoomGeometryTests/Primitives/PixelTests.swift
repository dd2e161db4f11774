import Foundation
import Testing

@testable import ZoomGeometry

struct PixelSizeTests {
  @Test(arguments: [(1, 1), (1600, 1200), (PixelSize.maximumSide, PixelSize.maximumSide)])
  func `sides from 1 to Int32's maximum are accepted`(width: Int, height: Int) throws {
    let size = try PixelSize(width, height)
    #expect(size.width == width)
    #expect(size.height == height)
    #expect(Int32(exactly: size.width) != nil)
    #expect(size.area.quotientAndRemainder(dividingBy: width) == (height, 0))
  }

  @Test(arguments: [0, -1, Int.min])
  func `a side that is not positive is refused and named`(side: Int) {
    expectRefused("width", .notPositive) { try PixelSize(side, 1) }
    let high = #expect(throws: GeometryError.self) { try PixelSize(1, side) }
    #expect(high?.argument == "height")
    #expect(high?.value == "\(side)")
  }

  @Test(arguments: [PixelSize.maximumSide + 1, Int.max])
  func `a side beyond Int32 is refused`(side: Int) {
    let error = #expect(throws: GeometryError.self) { try PixelSize(side, 1) }
    #expect(error?.reason == .tooLarge(limit: 2_147_483_647))
  }

  @Test func `transposing swaps the sides, and twice changes nothing`() throws {
    let size = try PixelSize(5, 3)
    #expect(try size.transposed == PixelSize(3, 5))
    #expect(size.transposed.transposed == size)
    #expect(size.transposed.area == size.area)
  }

  @Test func `a size prints as in ImageMagick`() throws {
    #expect(try PixelSize(1600, 1200).description == "1600x1200")
  }

  @Test func `a size survives being stored`() throws {
    let size = try PixelSize(4535, 1823)
    #expect(try stored(size) == size)
  }

  @Test(arguments: ["0", "-3", "2147483648"])
  func `a stored size is checked like any other`(side: String) {
    let stored = Data(#"{"width": 5, "height": \#(side)}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(PixelSize.self, from: stored) }
  }
}

struct PixelPointTests {
  @Test func `a point prints its column before its row`() {
    #expect(PixelPoint(x: 612, y: -3).description == "(612, -3)")
  }
}

struct PixelRegionTests {
  /// Every region whose corners lie on a small grid that reaches out of the pictures used here.
  static func regions() throws -> [PixelRegion] {
    var regions: [PixelRegion] = []
    for x in -1...3 {
      for y in -1...3 {
        for width in 1...3 {
          for height in 1...3 {
            regions.append(try PixelRegion(x: x, y: y, width: width, height: height))
          }
        }
      }
    }
    return regions
  }

  /// The pixels of a region, one by one.
  func pixels(_ region: PixelRegion?) -> Set<PixelPoint> {
    var pixels: Set<PixelPoint> = []
    for x in -2...8 {
      for y in -2...8 where region?.contains(x: x, y: y) == true {
        pixels.insert(PixelPoint(x: x, y: y))
      }
    }
    return pixels
  }

  @Test func `a region holds as many pixels as its area says`() throws {
    for region in try Self.regions() {
      #expect(pixels(region).count == region.area)
      #expect(region.size.area == region.area)
    }
  }

  @Test func `an intersection holds the pixels of both, and is nil if there are none`() throws {
    let regions = try Self.regions()
    let sets = regions.map { pixels($0) }
    // Every seventh partner: all meetings of edges occur among them, and debug builds stay fast.
    let wrong = regions.indices.first { first in
      stride(from: first % 7, to: regions.count, by: 7).contains { second in
        let shared = sets[first].intersection(sets[second])
        let region = regions[first].intersection(regions[second])
        return pixels(region) != shared || (region == nil) != shared.isEmpty
      }
    }
    #expect(wrong == nil)
  }

  @Test func `a region is inside a picture if all its pixels are`() throws {
    let size = try PixelSize(4, 3)
    let whole = pixels(PixelRegion(whole: size))
    #expect(whole.count == size.area)
    for region in try Self.regions() {
      #expect(region.isInside(size) == pixels(region).isSubset(of: whole), "\(region)")
    }
  }

  @Test func `the ends are exclusive`() throws {
    let region = try PixelRegion(x: 612, y: 413, width: 375, height: 200)
    #expect(region.maxX == 987)
    #expect(region.maxY == 613)
    #expect(region.contains(x: 986, y: 612))
    #expect(!region.contains(x: 987, y: 612))
    #expect(!region.contains(x: 986, y: 613))
  }

  @Test func `a region prints as in ImageMagick`() throws {
    let region = try PixelRegion(x: 612, y: 413, width: 375, height: 376)
    #expect(region.description == "375x376+612+413")
    #expect(try PixelRegion(x: -3, y: 0, width: 1, height: 2).description == "1x2-3+0")
    #expect(try PixelRegion(x: 0, y: -1, width: 1, height: 2).description == "1x2+0-1")
    #expect(try PixelRegion(x: -1, y: 1, width: 1, height: 2).description == "1x2-1+1")
  }

  @Test(arguments: [0, -1, Int.min])
  func `a side that is not positive is refused and named`(side: Int) {
    expectRefused("width") {
      try PixelRegion(x: 0, y: 0, width: side, height: 1)
    }
    expectRefused("height", .notPositive) {
      try PixelRegion(x: 0, y: 0, width: 1, height: side)
    }
  }

  @Test(arguments: [Int.min, -PixelSize.maximumSide - 1, PixelSize.maximumSide + 1, Int.max])
  func `a number beyond Int32 is refused and named`(number: Int) {
    expectRefused("x", .tooLarge(limit: PixelSize.maximumSide)) {
      try PixelRegion(x: number, y: 0, width: 1, height: 1)
    }
    expectRefused("y") {
      try PixelRegion(x: 0, y: number, width: 1, height: 1)
    }
  }

  @Test func `the largest numbers do not trap`() throws {
    let end = PixelSize.maximumSide
    let region = try PixelRegion(x: end, y: -end, width: end, height: end)
    #expect(region.maxX == 2 * end)
    #expect(region.maxY == 0)
    #expect(region.intersection(region) == region)
    #expect(try !region.isInside(PixelSize(end, end)))
  }

  @Test func `a region survives being stored, and a stored one is checked`() throws {
    let region = try PixelRegion(x: -1, y: 2, width: 3, height: 4)
    #expect(try stored(region) == region)
    let hostile = Data(#"{"x": 0, "y": 0, "width": 1, "height": 0}"#.utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PixelRegion.self, from: hostile)
    }
  }
}

struct PixelRegionPartsTests {
  private let region = PixelRegion(12, 3, 20, 9)

  @Test func `rows have the region's columns`() {
    #expect(region.rows(3..<12) == region)
    for first in 3..<12 {
      for end in first + 1...12 {
        let part = region.rows(first..<end)
        #expect((part.x, part.width) == (12, 20))
        #expect((part.y, part.maxY) == (first, end))
      }
    }
  }

  @Test func `rows beside the region, or none, are a mistake`() async {
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(12, 3, 20, 9).rows(2..<5)
    }
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(12, 3, 20, 9).rows(5..<13)
    }
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(12, 3, 20, 9).rows(5..<5)
    }
  }

  @Test func `a part sees the region moved by its origin`() {
    for x in [0, 5, 12] {
      for y in [0, 1, 3] {
        let moved = region.relative(to: (x, y))
        #expect(moved == PixelRegion(12 - x, 3 - y, 20, 9))
      }
    }
  }

  @Test func `an origin that is not above and left is a mistake`() async {
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(12, 3, 20, 9).relative(to: (13, 0))
    }
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(12, 3, 20, 9).relative(to: (0, 4))
    }
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

  @Test func `blocks of no side, or before the picture's corner, are a mistake`() async {
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(0, 0, 20, 9).reduced(by: -2)
    }
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(-1, 0, 20, 9).reduced(by: 2)
    }
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(0, -1, 20, 9).reduced(by: 2)
    }
  }
}
