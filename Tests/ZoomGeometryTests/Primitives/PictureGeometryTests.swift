import Testing
import ZoomGeometry

struct PictureGeometryTests {
  @Test func `a rectangle ends where it begins plus its size`() {
    let rect = PictureRect(x: 612.5, y: 412.5, width: 375, height: 200)
    #expect(rect.maxX == 987.5)
    #expect(rect.maxY == 612.5)
  }
}
