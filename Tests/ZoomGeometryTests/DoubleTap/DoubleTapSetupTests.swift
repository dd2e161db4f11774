import Testing

@testable import ZoomGeometry

/// Tests of the corrected double tap with known numbers; its laws are DT-P1 to DT-P11.
struct DoubleTapSetupTests {
  @Test func `DT-B8: a picture of two pixels per point has half as many points`() throws {
    let picture = try PixelSize(535, 788)
    let setup = try DoubleTapSetup(picture: picture, scale: 2, bounds: phone)
    #expect(setup.image == ViewSize(267.5, 394) && setup.fitScale == 1)
    // Used as points, its pixels would be shrunk.
    #expect(try DoubleTapSetup(picture: picture, bounds: phone).fitScale == 375.0 / 535)
  }

  @Test func `the zoom is limited to 3, and to another largest zoom if it is given`() throws {
    let size = ViewSize(100, 100)
    #expect(try DoubleTapSetup(image: size, bounds: phone, factor: 5).closeZoom == 3)
    let wide = try DoubleTapSetup(image: size, bounds: phone, factor: 5, maximumZoom: 4)
    #expect(wide.closeZoom == 4)
    expectRefused("factor") { try DoubleTapSetup(image: size, bounds: phone, factor: 0.999) }
    expectRefused("maximumZoom") {
      try DoubleTapSetup(image: size, bounds: phone, maximumZoom: 0.999)
    }
  }

  @Test func `DT-B3: a zoom within a thousandth of the fit, or below it, is the fit`() throws {
    let setup = try doubleTap(3264, 4896)
    let fit = setup.fitScale
    for zoom in [fit, fit.nextUp, fit.nextDown, fit * 1.0009, fit * 0.9] {
      #expect(try setup.toggled(zoom: zoom, tapped: centre(setup.image))?.zoom == 2 * fit)
    }
    for zoom in [fit * 1.0011, fit * 2, 3] {
      #expect(try setup.toggled(zoom: zoom, tapped: centre(setup.image)) == setup.fitted)
    }
    #expect(!setup.isFitted(.nan))
  }

  @Test func `DT-B5: a zoom that no longer fills the screen becomes the fit`() throws {
    let setup = try doubleTap(3264, 4896)
    let close = try #require(try setup.toggled(zoom: setup.fitScale, tapped: centre(setup.image)))
    let large = try DoubleTapSetup(image: setup.image, bounds: ViewSize(2000, 3000))
    #expect(near(try setup.refitted(close, in: large).transform, large.fitted.transform))
  }

  @Test func `an animation moves each number of a position separately, and ends exactly`() {
    let start = ScrollPosition(zoom: 2, origin: ViewPoint(10, 0), offset: ViewPoint(0, 30))
    let end = ScrollPosition(zoom: 0.1, origin: ViewPoint(0.3, 0.7), offset: ViewPoint(1.1, 2.3))
    #expect(start.moved(towards: end, by: 1) == end)
    let half = start.moved(towards: end, by: 0.5)
    #expect(near(half.zoom, 1.05, within: 1e-12))
    #expect(near(half.origin, ViewPoint(5.15, 0.35)) && near(half.offset, ViewPoint(0.55, 16.15)))
  }
}
