import Testing

@testable import ZoomGeometry

/// The published zoom's defects; `ForceZoomTests` has the right results.
struct OriginalForceZoomTests {
  let demo = OriginalForceZoom(view: demoView)
  let corner = ViewPoint(x: 87.5, y: 233.5)

  @Test func `FT-B9: a light touch on the corner moves the view by half of it`() {
    #expect(demo.anchor(of: corner) == ViewPoint(x: 0, y: 0))
    for force in [0.0, 0.5, 1] {
      #expect(
        demo.layer(at: corner, force: force).frame
          == ViewRect(x: 187.5, y: 333.5, width: 200, height: 200))
    }
  }

  @Test func `FT-B9 and FT-P11: the touched place is shown in the view's centre`() {
    for finger in fingers where demoView.contains(finger) {
      for force in [1.0, 2, fullForce] {
        let layer = demo.layer(at: finger, force: force)
        let place = ViewPoint(x: finger.x - demoView.x, y: finger.y - demoView.y)
        let shown = layer.toParent.apply(to: place)
        #expect(near(shown.x, 187.5, within: 1e-9))
        #expect(near(shown.y, 333.5, within: 1e-9))
      }
    }
  }

  @Test func `FT-P10: only a touch on the centre leaves the frame at scale 1`() {
    for finger in fingers {
      let frame = demo.layer(at: finger, force: 1).frame
      #expect((frame == demoView) == (finger == middle))
    }
  }

  @Test func `FT-P12: the frame at rest is covered only where the anchor is far from the borders`()
  {
    var covered = 0
    for finger in fingers {
      for force in [1.0, 1.5, 2, 4, fullForce] {
        let a = demo.anchor(of: finger)
        let isFar = [a.x, a.y, 1 - a.x, 1 - a.y].allSatisfy { $0 * max(1, force) >= 0.5 - 1e-12 }
        #expect(demo.layer(at: finger, force: force).frame.holds(demoView) == isFar)
        covered += isFar ? 1 : 0
      }
    }
    #expect(covered > 0)
  }

  @Test func `FT-B10: forces up to 1 do nothing`() {
    let dead = reportedForces.filter { demo.scale(at: $0) == 1 }
    // 0/60 to 60/60, the first 15 % of the range.
    #expect(dead.count == 61)
    #expect(dead.last == 1)
  }

  @Test func `FT-B11: before the view appears there are only corners`() {
    let early = OriginalForceZoom(
      view: demoView, captured: ViewRect(x: 0, y: 0, width: 0, height: 0))
    #expect(early.anchor(of: middle) == ViewPoint(x: 1, y: 1))
    #expect(early.anchor(of: ViewPoint(x: -1, y: 5)) == ViewPoint(x: 0, y: 1))
    // 0 / 0, of which the order of the arguments makes 0.
    #expect(early.anchor(of: ViewPoint(x: 0, y: 0)) == ViewPoint(x: 0, y: 0))
    #expect(demo.anchor(of: ViewPoint(x: .nan, y: .infinity)) == ViewPoint(x: 0, y: 1))
  }

  @Test func `FT-B12: after a turn the anchor is that of where the view was`() {
    let turned = ViewRect(x: 233.5, y: 87.5, width: 200, height: 200)
    let stale = OriginalForceZoom(view: turned, captured: demoView)
    let centre = ViewPoint(x: 333.5, y: 187.5)
    #expect(stale.anchor(of: centre) == ViewPoint(x: 1, y: 0))
    #expect(
      stale.layer(at: centre, force: 1).frame
        == ViewRect(x: 133.5, y: 187.5, width: 200, height: 200))
    #expect(OriginalForceZoom(view: turned).layer(at: centre, force: 1).frame == turned)
  }

  @Test func `FT-B14: the scale has no end, and no number makes 1`() {
    #expect(demo.scale(at: 8) == 8)
    #expect(demo.scale(at: 0x1p31) == 0x1p31)
    #expect(demo.scale(at: .infinity) == .infinity)
    #expect(demo.scale(at: .nan) == 1)
  }

  @Test func `FT-B15: the anchor is the view's, bars included`() throws {
    let fitted = demoView.fitting(try PixelSize(width: 1920, height: 1200))
    #expect(fitted.y - demoView.y == 37.5)
    #expect(demoView.maxY - fitted.maxY == 37.5)
    // The top of the picture is 37.5 / 200 of the way down; a finger above zooms about nothing.
    #expect(demo.anchor(of: ViewPoint(x: 187.5, y: fitted.y)).y == 0.1875)
    #expect(demo.anchor(of: ViewPoint(x: 187.5, y: 243.5)).y == 0.05)
  }
}
