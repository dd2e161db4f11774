import Testing

@testable import ZoomGeometry

/// The fit, and what is refused.
struct DoubleTapSetupTests {
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

  @Test func `a double tap shows three times the picture's size at most, if nothing else is said`()
    throws
  {
    let size = ViewSize(100, 100)
    let setup = { try DoubleTapSetup(image: size, bounds: phone, factor: $0) }
    #expect(try setup(1).closeZoom == 1 && setup(2.5).closeZoom == 2.5 && setup(5).closeZoom == 3)
    let wide = try DoubleTapSetup(image: size, bounds: phone, factor: 5, maximumZoom: 4)
    #expect(wide.closeZoom == 4)
  }

  @Test func `a picture that fits has no margin where it touches the sides`() throws {
    let fitted = try doubleTap(3264, 4896).fitted
    #expect(fitted.origin.x == 0 && near(fitted.origin.y, 52.25, within: 1e-9))
    #expect(fitted.offset == ViewPoint(0, 0))
  }

  @Test func `what fits the view cannot be scrolled`() {
    #expect(ScrollAxis(image: 100, bounds: 100, zoom: 1).furthest == 0)
    #expect(ScrollAxis(image: 50, bounds: 100, zoom: 1).furthest == 0)
    #expect(ScrollAxis(image: 100.5, bounds: 100, zoom: 1).furthest == 0.5)
  }

  @Test func `DT-B4: empty, infinite and NaN sizes are refused and named`() {
    let size = ViewSize(300, 500)
    for bad in [0, -1, Double.nan, .infinity, 1e-7, 1e300] {
      expectRefused("image.height") {
        try DoubleTapSetup(image: ViewSize(300, bad), bounds: phone)
      }
      expectRefused("bounds.width") {
        try DoubleTapSetup(image: size, bounds: ViewSize(bad, 667))
      }
    }
    let empty = #expect(throws: GeometryError.self) {
      try DoubleTapSetup(image: size, bounds: ViewSize(0, 0))
    }
    #expect(empty?.reason == .notPositive)
  }

  @Test(arguments: [0, -2, 0.999, Double.nan, .infinity, 1e300])
  func `a factor or a largest zoom below 1 or without end is refused`(value: Double) {
    let size = ViewSize(300, 500)
    expectRefused("factor") {
      try DoubleTapSetup(image: size, bounds: phone, factor: value)
    }
    expectRefused("maximumZoom") {
      try DoubleTapSetup(image: size, bounds: phone, maximumZoom: value)
    }
  }

  @Test func `DT-B8: a picture of two pixels a point has half as many points`() throws {
    let picture = try PixelSize(535, 788)
    let setup = try DoubleTapSetup(picture: picture, scale: 2, bounds: phone)
    #expect(setup.image == ViewSize(267.5, 394))
    #expect(setup.fitScale == 1)
    // Taken for points, its pixels would be shrunk.
    let wrong = try DoubleTapSetup(picture: picture, bounds: phone)
    #expect(wrong.fitScale == 375.0 / 535)
    #expect(throws: GeometryError.self) {
      try DoubleTapSetup(picture: picture, scale: 0, bounds: phone)
    }
  }
}

/// Where double taps lead.
struct DoubleTapSetupZoomTests {
  /// What a double tap shows, at a place in parts of the picture's sides.
  func closeUp(_ setup: DoubleTapSetup, _ part: ViewPoint) throws -> ScrollPosition {
    let place = ViewPoint(part.x * setup.image.width, part.y * setup.image.height)
    return try #require(try setup.toggled(zoom: setup.fitScale, tapped: place))
  }

  static let middles = [
    (300, 500, 37.5, 83.5, 112.5, 166.5), (1600, 2000, 0, 99.125, 187.5, 135.25),
    (3264, 4896, 0, 52.25, 187.5, 229), (1600, 1200, 0, 192.875, 187.5, 0),
    (140, 140, 117.5, 263.5, 0, 0),
  ].map { (width: Double, height: Double, left: Double, top: Double, x: Double, y: Double) in
    (ViewSize(width, height), margins: ViewPoint(left, top), offset: ViewPoint(x, y))
  }

  @Test(arguments: middles)
  func `a double tap at the middle shows it in the middle`(
    image: ViewSize, margins: ViewPoint, offset: ViewPoint
  ) throws {
    let setup = try doubleTap(image.width, image.height)
    #expect(near(setup.fitted.origin, margins))
    #expect(setup.fitted.offset == ViewPoint(0, 0))
    let close = try closeUp(setup, ViewPoint(0.5, 0.5))
    #expect(near(close.offset, offset))
    #expect(near(close.screenPoint(of: centre(setup.image)), middle))
  }

  @Test func `DT-B3: a zoom off the fit by a rounding, or below it, is the fit`() throws {
    let setup = try doubleTap(3264, 4896)
    let fit = setup.fitScale
    let close = try closeUp(setup, ViewPoint(0.5, 0.5))
    for zoom in [fit, fit.nextUp, fit.nextDown, fit * 1.0009, fit * 0.9] {
      #expect(try setup.toggled(zoom: zoom, tapped: centre(setup.image)) == close)
    }
    for zoom in [fit * 1.0011, fit * 2, 3] {
      #expect(try setup.toggled(zoom: zoom, tapped: centre(setup.image)) == setup.fitted)
    }
    #expect(!setup.isFitted(.nan))
  }

  @Test func `DT-P10: a tap beside the picture does nothing, one on its border does`() throws {
    let setup = try doubleTap(300, 500)
    for (x, y) in [(-0.1, 250.0), (300.1, 250), (150, -0.1), (150, 500.1)] {
      #expect(try setup.toggled(zoom: 1, tapped: ViewPoint(x, y)) == nil)
    }
    for (x, y) in [(0.0, 0.0), (300, 500)] {
      #expect(try setup.toggled(zoom: 1, tapped: ViewPoint(x, y)) != nil)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `DT-P11: numbers that are not finite are refused and named`(bad: Double) throws {
    let setup = try doubleTap(300, 500)
    let good = ViewPoint(150, 250)
    let wrong = ViewPoint(150, bad)
    let arguments = [
      #expect(throws: GeometryError.self) { try setup.toggled(zoom: bad, tapped: good) },
      #expect(throws: GeometryError.self) { try setup.toggled(zoom: 1, tapped: wrong) },
      #expect(throws: GeometryError.self) { try setup.position(around: wrong, zoom: 1) },
      #expect(throws: GeometryError.self) {
        try setup.refitted(ScrollPosition(zoom: bad, origin: good, offset: good), in: setup)
      },
    ].map { $0?.argument }
    #expect(arguments == ["zoom", "place.y", "place.y", "position.zoom"])
    #expect(throws: GeometryError.self) { try setup.toggled(zoom: 0, tapped: good) }
  }

  static let factors: [(Double, Double, Double, Double)] = [
    (3264, 4896, 0.2298, 8.704), (4535, 1823, 0.1654, 12.09), (1600, 1200, 0.46875, 4.267),
  ]

  @Test(arguments: factors)
  func `DT-B6: twice the fit is far from 1:1, which another factor reaches`(
    width: Double, height: Double, twice: Double, needed: Double
  ) throws {
    let setup = try doubleTap(width, height)
    #expect(near(setup.closeZoom, twice, within: 5e-5))
    #expect(near(1 / setup.fitScale, needed, within: 5e-3))
    let exact = try DoubleTapSetup(image: setup.image, bounds: phone, factor: 1 / setup.fitScale)
    #expect(near(exact.closeZoom, 1, within: 1e-12))
  }

  @Test func `DT-B5: another size of the screen leaves the fit the fit`() throws {
    let setup = try doubleTap(3264, 4896)
    let turned = try DoubleTapSetup(image: setup.image, bounds: ViewSize(667, 375))
    #expect(try setup.refitted(setup.fitted, in: turned) == turned.fitted)
    #expect(turned.fitScale == 375.0 / 4896)
  }

  @Test func `DT-B5: another size of the screen keeps the middle and the zoom`() throws {
    let setup = try doubleTap(3264, 4896)
    let turned = try DoubleTapSetup(image: setup.image, bounds: ViewSize(667, 375))
    let close = try closeUp(setup, ViewPoint(0.5, 0.4))
    let place = close.imagePoint(at: middle)
    let refitted = try setup.refitted(close, in: turned)
    #expect(refitted.zoom == close.zoom)
    #expect(near(refitted.imagePoint(at: ViewPoint(333.5, 187.5)), place, 1e-6))
    #expect(near(try turned.refitted(refitted, in: setup), close))
    // A zoom that no longer fills the screen becomes the fit.
    let large = try DoubleTapSetup(image: setup.image, bounds: ViewSize(2000, 3000))
    #expect(near(try setup.refitted(close, in: large), large.fitted))
  }

  @Test func `a zoom above the fit by the tolerance exactly is still the fit`() throws {
    // Of a thousand fits about one has such a zoom among the floating-point numbers.
    var exact = 0
    for width in 376...6000 {
      let setup = try DoubleTapSetup(image: ViewSize(Double(width), 300), bounds: phone)
      let (fit, limit) = (setup.fitScale, DoubleTapSetup.tolerance * setup.fitScale)
      let zoom = fit + limit
      guard zoom - fit == limit else { continue }
      exact += 1
      #expect(setup.isFitted(zoom) && !setup.isFitted(zoom.nextUp))
    }
    #expect(exact > 0)
  }
}

struct ScrollPositionTests {
  let position = ScrollPosition(zoom: 2, origin: ViewPoint(10, 0), offset: ViewPoint(0, 30))

  @Test func `moving ends exactly, and half-way is the mean`() {
    let end = ScrollPosition(zoom: 0.1, origin: ViewPoint(0.3, 0.7), offset: ViewPoint(1.1, 2.3))
    #expect(position.moved(towards: end, by: 1) == end)
    #expect(position.moved(towards: end, by: 0) == position)
    let half = position.moved(towards: end, by: 0.5)
    #expect(near(half.zoom, 1.05, within: 1e-12))
    #expect(near(half.origin, ViewPoint(5.15, 0.35)))
    #expect(near(half.offset, ViewPoint(0.55, 16.15)))
  }

  @Test func `a push takes the picture along as far as it scrolls`() {
    // 600x1000 in 375x667: offsets to (225, 333).
    let image = ViewSize(300, 500)
    var position = ScrollPosition(zoom: 2, origin: ViewPoint(0, 0), offset: ViewPoint(100, 100))
    position = position.scrolled(by: ViewPoint(30, -20), image: image, bounds: phone)
    #expect(position.offset == ViewPoint(70, 120))
    let far = ViewPoint(1e9, -1e9)
    position = position.scrolled(by: far, image: image, bounds: phone)
    #expect(position.offset == ViewPoint(0, 333))
    #expect(position.zoom == 2)
    #expect(position.origin == ViewPoint(0, 0))
  }
}
