import Testing

@testable import ZoomGeometry

/// The fit, its laws, and what is refused.
struct DoubleTapSetupTests {
  static let sizes: [(Double, Double)] = [
    (300, 500), (1600, 2000), (3264, 4896), (1600, 1200), (4535, 1823), (460, 690), (200, 400),
    (140, 140), (375, 667), (376, 667), (1, 1), (100, 100_000), (1e-6, 2_147_483_647),
  ]

  static let fits: [(Double, Double, Double)] = [
    (300, 500, 1), (1600, 2000, 0.234375), (3264, 4896, 375.0 / 3264), (460, 690, 375.0 / 460),
    (100, 100_000, 0.00667), (375, 667, 1), (140, 140, 1),
  ]

  @Test(arguments: fits)
  func `the fit shows the whole picture and never enlarges it`(
    width: Double, height: Double, fit: Double
  ) throws {
    #expect(try doubleTap(width, height).fitScale == fit)
  }

  @Test(arguments: sizes)
  func `DT-P1: the fit is inside the scroll view and touches it, or is 1`(
    width: Double, height: Double
  ) throws {
    let fit = try doubleTap(width, height).fitScale
    #expect(fit > 0 && fit <= 1)
    #expect(fit * width <= 375 + 1e-12)
    #expect(fit * height <= 667 + 1e-12)
    let touches =
      near(fit * width, 375, within: 1e-12) || near(fit * height, 667, within: 1e-12)
    #expect(fit == 1 || touches)
  }

  @Test func `DT-B4: empty, infinite and NaN sizes are refused and named`() {
    let size = ViewSize(width: 300, height: 500)
    for bad in [0, -1, Double.nan, .infinity, 1e-7, 1e300] {
      let image = #expect(throws: GeometryError.self) {
        try DoubleTapSetup(image: ViewSize(width: 300, height: bad), bounds: phone)
      }
      #expect(image?.argument == "image.height")
      let bounds = #expect(throws: GeometryError.self) {
        try DoubleTapSetup(image: size, bounds: ViewSize(width: bad, height: 667))
      }
      #expect(bounds?.argument == "bounds.width")
    }
    let empty = #expect(throws: GeometryError.self) {
      try DoubleTapSetup(image: size, bounds: ViewSize(width: 0, height: 0))
    }
    #expect(empty?.reason == .notPositive)
  }

  @Test(arguments: [0, -2, 0.999, Double.nan, .infinity, 1e300])
  func `a factor or a largest zoom below 1 or without end is refused`(value: Double) {
    let size = ViewSize(width: 300, height: 500)
    let factor = #expect(throws: GeometryError.self) {
      try DoubleTapSetup(image: size, bounds: phone, factor: value)
    }
    #expect(factor?.argument == "factor")
    let zoom = #expect(throws: GeometryError.self) {
      try DoubleTapSetup(image: size, bounds: phone, maximumZoom: value)
    }
    #expect(zoom?.argument == "maximumZoom")
  }

  @Test func `DT-B8: a picture of two pixels a point has half as many points`() throws {
    let picture = try PixelSize(width: 535, height: 788)
    let setup = try DoubleTapSetup(picture: picture, scale: 2, bounds: phone)
    #expect(setup.image == ViewSize(width: 267.5, height: 394))
    #expect(setup.fitScale == 1)
    // Taken for points, its pixels would be shrunk.
    let wrong = try DoubleTapSetup(picture: picture, bounds: phone)
    #expect(wrong.fitScale == 375.0 / 535)
    #expect(throws: GeometryError.self) {
      try DoubleTapSetup(picture: picture, scale: 0, bounds: phone)
    }
  }

  @Test(arguments: [(1, 1), (1, PixelSize.maximumSide), (PixelSize.maximumSide, 1)])
  func `DT-P11: every picture is set up on every screen`(width: Int, height: Int) throws {
    let picture = try PixelSize(width: width, height: height)
    for bounds in [phone, ViewSize(width: 1e-6, height: 1e-6), ViewSize(width: 2e9, height: 1)] {
      let setup = try DoubleTapSetup(picture: picture, bounds: bounds)
      #expect(setup.fitScale.isNormal)
      let close = try setup.position(around: ViewPoint(x: 1, y: -1), zoom: 1e300)
      #expect(close.transform.isFinite)
      #expect(close.visibleRect(in: bounds).isFinite)
      #expect(setup.fitted.visibleRect(in: bounds).isFinite)
    }
  }
}
