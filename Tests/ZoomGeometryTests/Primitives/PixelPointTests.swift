import Testing
import ZoomGeometry

struct PixelPointTests {
  @Test func `a point prints its column before its row`() {
    #expect(PixelPoint(x: 612, y: -3).description == "(612, -3)")
  }

  @Test func `column and row are not interchangeable`() {
    #expect(PixelPoint(x: 1, y: 2) != PixelPoint(x: 2, y: 1))
  }
}
