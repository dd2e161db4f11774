import Testing

@testable import ZoomGeometry

struct PixelRegionPartsTests {
  private let region = PixelRegion(uncheckedX: 12, y: 3, width: 20, height: 9)

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
      _ = PixelRegion(uncheckedX: 12, y: 3, width: 20, height: 9).rows(2..<5)
    }
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(uncheckedX: 12, y: 3, width: 20, height: 9).rows(5..<13)
    }
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(uncheckedX: 12, y: 3, width: 20, height: 9).rows(5..<5)
    }
  }

  @Test func `a part sees the region moved by its origin`() {
    for x in [0, 5, 12] {
      for y in [0, 1, 3] {
        let moved = region.relative(to: (x, y))
        #expect(moved == PixelRegion(uncheckedX: 12 - x, y: 3 - y, width: 20, height: 9))
      }
    }
  }

  @Test func `an origin that is not above and left is a mistake`() async {
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(uncheckedX: 12, y: 3, width: 20, height: 9).relative(to: (13, 0))
    }
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(uncheckedX: 12, y: 3, width: 20, height: 9).relative(to: (0, 4))
    }
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(uncheckedX: 12, y: 3, width: 20, height: 9).relative(to: (-1, 0))
    }
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(uncheckedX: 12, y: 3, width: 20, height: 9).relative(to: (0, -1))
    }
  }

  @Test func `the blocks are those that hold a pixel of the region`() {
    for x in 0...9 {
      for y in 0...4 {
        for (width, height) in [(1, 1), (1, 9), (7, 2), (16, 8)] {
          let region = PixelRegion(uncheckedX: x, y: y, width: width, height: height)
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
      _ = PixelRegion(uncheckedX: 0, y: 0, width: 20, height: 9).reduced(by: -2)
    }
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(uncheckedX: -1, y: 0, width: 20, height: 9).reduced(by: 2)
    }
    await #expect(processExitsWith: .failure) {
      _ = PixelRegion(uncheckedX: 0, y: -1, width: 20, height: 9).reduced(by: 2)
    }
  }
}
