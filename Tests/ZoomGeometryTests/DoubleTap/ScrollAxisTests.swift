import Testing

@testable import ZoomGeometry

struct ScrollAxisTests {
  @Test func `a shorter picture is centred and does not scroll`() {
    let axis = ScrollAxis(image: 100, bounds: 375, zoom: 2)
    #expect(axis.margin == 87.5)
    #expect(axis.furthest == 0)
    #expect(axis.offset(centring: 90) == 0)
  }

  @Test func `a longer picture has no margin and scrolls to its ends`() {
    let axis = ScrollAxis(image: 500, bounds: 375, zoom: 2)
    #expect(axis.margin == 0)
    #expect(axis.furthest == 625)
    #expect(axis.offset(centring: 250) == 312.5)
    #expect(axis.offset(centring: 0) == 0)
    #expect(axis.offset(centring: 500) == 625)
    #expect(axis.offset(centring: .infinity) == 625)
  }

  @Test func `a picture as long as the view has neither`() {
    let axis = ScrollAxis(image: 375, bounds: 375, zoom: 1)
    #expect(axis.margin == 0)
    #expect(axis.furthest == 0)
  }

  @Test func `the axes take their own sides`() {
    let axes = ScrollAxes(
      image: ViewSize(width: 100, height: 500), bounds: ViewSize(width: 300, height: 700), zoom: 1)
    #expect(axes.margins == ViewPoint(x: 100, y: 100))
    let bounds = ViewSize(width: 300, height: 200)
    #expect(
      ScrollAxes(image: ViewSize(width: 100, height: 500), bounds: bounds, zoom: 1).margins
        == ViewPoint(x: 100, y: 0))
    #expect(bounds.atOrigin == ViewRect(x: 0, y: 0, width: 300, height: 200))
  }
}
