import Foundation
import Testing
import ZoomGeometry

struct PixelSizeTests {
  @Test(arguments: [(1, 1), (1600, 1200), (PixelSize.maximumSide, PixelSize.maximumSide)])
  func `sides from 1 to Int32's maximum are accepted`(width: Int, height: Int) throws {
    let size = try PixelSize(width: width, height: height)
    #expect(size.width == width)
    #expect(size.height == height)
    #expect(Int32(exactly: size.width) != nil)
    #expect(size.area.quotientAndRemainder(dividingBy: width) == (height, 0))
  }

  @Test(arguments: [0, -1, Int.min])
  func `a side that is not positive is refused and named`(side: Int) {
    let wide = #expect(throws: GeometryError.self) { try PixelSize(width: side, height: 1) }
    #expect(wide?.argument == "width")
    #expect(wide?.reason == .notPositive)
    let high = #expect(throws: GeometryError.self) { try PixelSize(width: 1, height: side) }
    #expect(high?.argument == "height")
    #expect(high?.value == "\(side)")
  }

  @Test(arguments: [PixelSize.maximumSide + 1, Int.max])
  func `a side beyond Int32 is refused`(side: Int) {
    let error = #expect(throws: GeometryError.self) { try PixelSize(width: side, height: 1) }
    #expect(error?.reason == .tooLarge(limit: 2_147_483_647))
  }

  @Test func `transposing swaps the sides, and twice changes nothing`() throws {
    let size = try PixelSize(width: 5, height: 3)
    #expect(try size.transposed == PixelSize(width: 3, height: 5))
    #expect(size.transposed.transposed == size)
    #expect(size.transposed.area == size.area)
  }

  @Test func `a size prints as in ImageMagick`() throws {
    #expect(try PixelSize(width: 1600, height: 1200).description == "1600x1200")
  }

  @Test func `a size survives being stored`() throws {
    let size = try PixelSize(width: 4535, height: 1823)
    let stored = try JSONEncoder().encode(size)
    #expect(try JSONDecoder().decode(PixelSize.self, from: stored) == size)
  }

  @Test(arguments: ["0", "-3", "2147483648"])
  func `a stored size is checked like any other`(side: String) {
    let stored = Data(#"{"width": 5, "height": \#(side)}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(PixelSize.self, from: stored) }
  }
}
