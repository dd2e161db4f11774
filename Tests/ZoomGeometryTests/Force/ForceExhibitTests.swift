import Testing

@testable import ZoomGeometry

/// Tests of the published animation's defects; laws FT-P16 to FT-P18 have the right results.
struct OriginalForceAnimationTests {
  let animation = OriginalForceAnimation()

  @Test(arguments: [7, 8, 0x1p31, .infinity, -1, .nan])
  func `FT-B17: from 7 on, below 0 and at NaN the view is at rest`(force: Double) {
    #expect(!((0.0..<1).contains(animation.time(at: force))))
    #expect(animation.pose(at: force) == .rest)
  }
}

/// Tests of the published zoom's defects; laws FT-P10 to FT-P14 have the right results.
struct OriginalForceZoomTests {
  let demo = OriginalForceZoom(view: demoView)

  @Test func `FT-B11: before the view appears every anchor is a corner`() {
    let early = OriginalForceZoom(view: demoView, captured: ViewRect(0, 0, 0, 0))
    #expect(early.anchor(of: middle) == ViewPoint(1, 1))
    #expect(early.anchor(of: ViewPoint(-1, 5)) == ViewPoint(0, 1))
    // 0 / 0 is NaN, and the published `max(0, value)` turns NaN into 0.
    #expect(early.anchor(of: ViewPoint(0, 0)) == ViewPoint(0, 0))
    #expect(demo.anchor(of: ViewPoint(.nan, .infinity)) == ViewPoint(0, 1))
    #expect(demo.scale(at: .nan) == 1)
  }
}

/// The zoomed view of the published demonstration, in the middle of the phone's screen.
let demoView = ViewRect(87.5, 233.5, 200, 200)
