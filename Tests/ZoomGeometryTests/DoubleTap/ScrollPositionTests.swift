import Testing

@testable import ZoomGeometry

struct ScrollPositionTests {
  let position = ScrollPosition(
    zoom: 2, origin: ViewPoint(x: 10, y: 0), offset: ViewPoint(x: 0, y: 30))

  @Test func `an image point is scaled, then moved by origin less offset`() {
    #expect(position.screenPoint(of: ViewPoint(x: 5, y: 50)) == ViewPoint(x: 20, y: 70))
    #expect(position.transform == Affine(a: 2, b: 0, c: 0, d: 2, tx: 10, ty: -30))
  }

  @Test func `the image point of a screen point goes back to it`() {
    let point = ViewPoint(x: 187.5, y: -20)
    #expect(position.screenPoint(of: position.imagePoint(at: point)) == point)
  }

  @Test func `DT-P7: what is visible has the scroll view's aspect and its corners`() {
    let rect = position.visibleRect(in: phone)
    #expect(rect == ViewRect(x: -5, y: 15, width: 187.5, height: 333.5))
    #expect(
      position.screenPoint(of: ViewPoint(x: rect.maxX, y: rect.maxY)) == ViewPoint(x: 375, y: 667))
  }

  @Test func `moving ends exactly, and half-way is the mean`() {
    let end = ScrollPosition(
      zoom: 0.1, origin: ViewPoint(x: 0.3, y: 0.7), offset: ViewPoint(x: 1.1, y: 2.3))
    #expect(position.moved(towards: end, by: 1) == end)
    #expect(position.moved(towards: end, by: 0) == position)
    let half = position.moved(towards: end, by: 0.5)
    #expect(near(half.zoom, 1.05, within: 1e-12))
    #expect(near(half.origin, ViewPoint(x: 5.15, y: 0.35)))
    #expect(near(half.offset, ViewPoint(x: 0.55, y: 16.15)))
  }

  @Test func `a push takes the picture along as far as it scrolls`() {
    // 600x1000 in 375x667: offsets to (225, 333).
    let image = ViewSize(width: 300, height: 500)
    var position = ScrollPosition(
      zoom: 2, origin: ViewPoint(x: 0, y: 0), offset: ViewPoint(x: 100, y: 100))
    position = position.scrolled(by: ViewPoint(x: 30, y: -20), image: image, bounds: phone)
    #expect(position.offset == ViewPoint(x: 70, y: 120))
    let far = ViewPoint(x: 1e9, y: -1e9)
    position = position.scrolled(by: far, image: image, bounds: phone)
    #expect(position.offset == ViewPoint(x: 0, y: 333))
    #expect(position.zoom == 2)
    #expect(position.origin == ViewPoint(x: 0, y: 0))
  }
}
