import Testing

@testable import ZoomGeometry

/// The model that explains the published correction.
struct ZoomScrollerTests {
  let corner = ViewPoint(x: 0, y: 0)

  func scroller(_ width: Double, _ height: Double, _ fit: Double) -> ZoomScroller {
    ZoomScroller(
      image: ViewSize(width: width, height: height), bounds: phone, minimumZoom: fit,
      maximumZoom: 3)
  }

  @Test func `layout centres and leaves the offset alone`() {
    let scroller = scroller(300, 500, 1)
    let offset = ViewPoint(x: 7, y: 8)
    let small = scroller.laidOut(ScrollPosition(zoom: 1, origin: corner, offset: offset))
    #expect(small == ScrollPosition(zoom: 1, origin: ViewPoint(x: 37.5, y: 83.5), offset: offset))
    let large = scroller.laidOut(ScrollPosition(zoom: 2, origin: small.origin, offset: offset))
    #expect(large == ScrollPosition(zoom: 2, origin: corner, offset: offset))
  }

  @Test func `it aims with the origin of before, and is off by what the layout takes away`() {
    let scroller = scroller(300, 500, 1)
    let fitted = scroller.laidOut(ScrollPosition(zoom: 1, origin: corner, offset: corner))
    let rect = ViewRect(x: 150 - 93.75, y: 250 - 166.75, width: 187.5, height: 333.5)
    let zoomed = scroller.zoomed(to: rect, from: fitted)
    #expect(zoomed.zoom == 2)
    #expect(zoomed.offset == ViewPoint(x: 150, y: 250))
    // 112.5 and 166.5 would show the rectangle: the difference is the origin of before.
    let seen = zoomed.visibleRect(in: phone)
    #expect(seen.x - rect.x == fitted.origin.x / 2)
    #expect(seen.y - rect.y == fitted.origin.y / 2)
  }

  @Test func `from an origin of zero it shows the rectangle`() {
    let scroller = scroller(375, 667, 1)
    let fitted = ScrollPosition(zoom: 1, origin: corner, offset: corner)
    let rect = ViewRect(x: 100, y: 200, width: 187.5, height: 333.5)
    #expect(scroller.zoomed(to: rect, from: fitted).visibleRect(in: phone) == rect)
  }

  @Test func `the zoom fits the rectangle and stays in its range`() {
    let scroller = scroller(1000, 1000, 0.5)
    let start = ScrollPosition(zoom: 1, origin: corner, offset: corner)
    let zoom = { (width: Double, height: Double) in
      scroller.zoomed(to: ViewRect(x: 0, y: 0, width: width, height: height), from: start).zoom
    }
    #expect(zoom(187.5, 1) == 2)
    #expect(zoom(1, 333.5) == 2)
    #expect(zoom(1, 1) == 3)
    #expect(zoom(1e9, 1) == 0.5)
    #expect(zoom(0, 0) == 3)
  }

  @Test func `the offset does not pass the picture's ends`() {
    let scroller = scroller(1000, 1000, 0.375)
    let start = ScrollPosition(zoom: 1, origin: corner, offset: corner)
    let low = ViewRect(x: -500, y: 2000, width: 187.5, height: 333.5)
    #expect(scroller.zoomed(to: low, from: start).offset == ViewPoint(x: 0, y: 2000 - 667))
  }

  @Test func `setting the zoom keeps the middle, but for the origin of before`() {
    let scroller = scroller(1000, 1000, 0.375)
    let start = ScrollPosition(zoom: 1, origin: corner, offset: ViewPoint(x: 100, y: 150))
    let zoomed = scroller.zoomed(to: 2, from: start)
    #expect(zoomed.imagePoint(at: middle) == start.imagePoint(at: middle))
    #expect(scroller.zoomed(to: 0.375, from: zoomed).offset.x == 0)
  }

  @Test func `DT-B4: NaN goes in and comes out`() {
    let empty = ZoomScroller(
      image: ViewSize(width: 300, height: 500), bounds: ViewSize(width: 0, height: 0),
      minimumZoom: 0, maximumZoom: 3)
    let start = ScrollPosition(zoom: 0, origin: corner, offset: corner)
    let rect = ViewRect(x: .nan, y: .nan, width: .nan, height: .nan)
    #expect(empty.zoomed(to: rect, from: start).zoom.isNaN)
    #expect(empty.zoomed(to: rect, from: start).offset.x.isNaN)
  }
}
