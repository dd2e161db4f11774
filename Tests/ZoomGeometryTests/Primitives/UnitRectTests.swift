import Testing
import ZoomGeometry

struct UnitRectTests {
  @Test func `a rectangle ends where it begins plus its size`() {
    let rect = UnitRect(x: 0.25, y: 0.5, width: 0.125, height: 0.375)
    #expect(rect.maxX == 0.375)
    #expect(rect.maxY == 0.875)
  }
}
