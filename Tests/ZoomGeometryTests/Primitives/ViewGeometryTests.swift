import Testing
import ZoomGeometry

struct ViewGeometryTests {
  let rect = ViewRect(x: 10, y: 20, width: 30, height: 5)

  @Test func `a rectangle ends where it begins plus its size`() {
    #expect(rect.maxX == 40)
    #expect(rect.maxY == 25)
  }

  @Test func `a rectangle contains its border`() {
    for x in [10.0, 25, 40] {
      for y in [20.0, 22, 25] {
        #expect(rect.contains(ViewPoint(x: x, y: y)))
      }
    }
  }

  static let beside: [(Double, Double)] = [
    (9.5, 22), (40.5, 22), (25, 19.5), (25, 25.5), (.nan, 22), (25, .nan),
  ]

  @Test(arguments: beside)
  func `a rectangle contains neither what is beside it nor NaN`(x: Double, y: Double) {
    #expect(!rect.contains(ViewPoint(x: x, y: y)))
  }
}
