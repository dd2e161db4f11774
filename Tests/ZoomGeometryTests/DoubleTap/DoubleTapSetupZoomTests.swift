import Testing

@testable import ZoomGeometry

/// Where double taps lead, and the laws of it.
struct DoubleTapSetupZoomTests {
  static let sizes = DoubleTapSetupTests.sizes

  /// Places of a picture as parts of its sides: the middle, corners, and others.
  static let parts = [(0.5, 0.5), (0, 0), (1, 1), (0.25, 0.75), (0.9, 0.1), (0.51, 0.49)]
    .map { ViewPoint(x: $0.0, y: $0.1) }

  func place(_ part: ViewPoint, _ setup: DoubleTapSetup) -> ViewPoint {
    ViewPoint(x: part.x * setup.image.width, y: part.y * setup.image.height)
  }

  func closeUp(_ setup: DoubleTapSetup, _ part: ViewPoint) throws -> ScrollPosition {
    try #require(try setup.toggled(zoom: setup.fitScale, tapped: place(part, setup)))
  }

  static let middles = [
    (300, 500, 37.5, 83.5, 112.5, 166.5), (1600, 2000, 0, 99.125, 187.5, 135.25),
    (3264, 4896, 0, 52.25, 187.5, 229), (1600, 1200, 0, 192.875, 187.5, 0),
    (140, 140, 117.5, 263.5, 0, 0),
  ].map { (width: Double, height: Double, left: Double, top: Double, x: Double, y: Double) in
    (
      ViewSize(width: width, height: height), margins: ViewPoint(x: left, y: top),
      offset: ViewPoint(x: x, y: y)
    )
  }

  @Test(arguments: middles)
  func `a double tap at the middle shows it in the middle`(
    image: ViewSize, margins: ViewPoint, offset: ViewPoint
  ) throws {
    let setup = try doubleTap(image.width, image.height)
    #expect(near(setup.fitted.origin, margins))
    #expect(setup.fitted.offset == ViewPoint(x: 0, y: 0))
    let close = try closeUp(setup, ViewPoint(x: 0.5, y: 0.5))
    #expect(near(close.offset, offset))
    #expect(near(close.screenPoint(of: centre(setup.image)), middle))
  }

  @Test(arguments: sizes)
  func `DT-P2: a double tap doubles, up to the largest zoom`(width: Double, height: Double) throws {
    let setup = try doubleTap(width, height)
    #expect(setup.closeZoom == 2 * setup.fitScale)
    let image = ViewSize(width: width, height: height)
    let four = try DoubleTapSetup(image: image, bounds: phone, factor: 4)
    #expect(four.closeZoom == min(4 * setup.fitScale, 3))
    let one = try DoubleTapSetup(image: image, bounds: phone, maximumZoom: 1)
    #expect(one.closeZoom == min(2 * setup.fitScale, 1))
  }

  @Test(arguments: sizes)
  func `DT-P3: what is smaller than the screen is centred`(width: Double, height: Double) throws {
    let setup = try doubleTap(width, height)
    for position in [setup.fitted, try closeUp(setup, Self.parts[4])] {
      let frame = position.transform.boundingBox(of: setup.image.atOrigin)
      if position.origin.x > 0 { #expect(near(frame.x, 375 - frame.maxX, within: 1e-9)) }
      if position.origin.y > 0 { #expect(near(frame.y, 667 - frame.maxY, within: 1e-9)) }
      #expect(position.origin.x >= 0 && position.origin.y >= 0)
      #expect(position.origin.x == 0 || frame.width < 375)
      #expect(position.origin.y == 0 || frame.height < 667)
    }
  }

  @Test(arguments: sizes)
  func `DT-P4: nothing beside the picture is shown where it is larger`(
    width: Double, height: Double
  ) throws {
    let setup = try doubleTap(width, height)
    for part in Self.parts {
      let close = try closeUp(setup, part)
      let seen = close.visibleRect(in: phone)
      let axes = setup.axes(close.zoom)
      #expect((0...axes.across.furthest).contains(close.offset.x))
      #expect((0...axes.down.furthest).contains(close.offset.y))
      let slack = 1e-12 * max(width, height)
      if axes.across.furthest > 0 { #expect(seen.x >= 0 && seen.maxX <= width + slack) }
      if axes.down.furthest > 0 { #expect(seen.y >= 0 && seen.maxY <= height + slack) }
    }
  }

  @Test(arguments: sizes)
  func `DT-P5: the tapped place comes to the middle, or as near as scrolling goes`(
    width: Double, height: Double
  ) throws {
    let setup = try doubleTap(width, height)
    for part in Self.parts {
      let close = try closeUp(setup, part)
      let tapped = close.screenPoint(of: place(part, setup))
      let axes = setup.axes(close.zoom)
      // On each axis: in the middle, or scrolled to the end that it lies towards.
      let across = near(tapped.x, 187.5, within: 1e-9)
      let left = close.offset.x == 0 && tapped.x <= 187.5
      let right = close.offset.x == axes.across.furthest && tapped.x >= 187.5
      #expect(across || left || right)
      let down = near(tapped.y, 333.5, within: 1e-9)
      let top = close.offset.y == 0 && tapped.y <= 333.5
      let bottom = close.offset.y == axes.down.furthest && tapped.y >= 333.5
      #expect(down || top || bottom || axes.down.furthest == 0)
    }
  }

  @Test(arguments: sizes)
  func `DT-P6: toggling twice leads back exactly`(width: Double, height: Double) throws {
    let setup = try doubleTap(width, height)
    for part in Self.parts {
      let close = try closeUp(setup, part)
      #expect(close.zoom > setup.fitScale)
      let back = try setup.toggled(zoom: close.zoom, tapped: place(part, setup))
      #expect(back == setup.fitted)
    }
  }

  @Test func `DT-B3: a zoom off the fit by a rounding, or below it, is the fit`() throws {
    let setup = try doubleTap(3264, 4896)
    let fit = setup.fitScale
    let close = try closeUp(setup, Self.parts[0])
    for zoom in [fit, fit.nextUp, fit.nextDown, fit * 1.0009, fit * 0.9] {
      #expect(try setup.toggled(zoom: zoom, tapped: centre(setup.image)) == close)
    }
    for zoom in [fit * 1.0011, fit * 2, 3] {
      #expect(try setup.toggled(zoom: zoom, tapped: centre(setup.image)) == setup.fitted)
    }
    #expect(!setup.isFitted(.nan))
  }

  @Test func `DT-P8: transposing everything transposes the result to the last bit`() throws {
    for (width, height) in Self.sizes {
      let setup = try doubleTap(width, height)
      let turned = try DoubleTapSetup(
        image: ViewSize(width: height, height: width), bounds: ViewSize(width: 667, height: 375))
      for part in Self.parts {
        let one = try closeUp(setup, part)
        let other = try closeUp(turned, ViewPoint(x: part.y, y: part.x))
        #expect(one.zoom == other.zoom)
        #expect(one.offset == ViewPoint(x: other.offset.y, y: other.offset.x))
        #expect(one.origin == ViewPoint(x: other.origin.y, y: other.origin.x))
      }
    }
  }

  @Test func `DT-P8: mirroring the tap mirrors the result`() throws {
    for (width, height) in Self.sizes {
      let setup = try doubleTap(width, height)
      for part in Self.parts {
        let one = try closeUp(setup, part)
        let other = try closeUp(setup, ViewPoint(x: 1 - part.x, y: 1 - part.y))
        let axes = setup.axes(one.zoom)
        #expect(near(one.offset.x, axes.across.furthest - other.offset.x, within: 1e-9))
        #expect(near(one.offset.y, axes.down.furthest - other.offset.y, within: 1e-9))
        #expect(one.origin == other.origin)
      }
    }
  }

  @Test(arguments: [0.5, 2, 3, 1000])
  func `DT-P9: the same picture in another resolution looks the same`(times: Double) throws {
    for (width, height) in [(3264.0, 4896.0), (1600, 2000), (4535, 1823)] {
      let setup = try doubleTap(width, height)
      let other = try doubleTap(width * times, height * times)
      #expect(setup.fitScale < 1 && other.fitScale < 1)
      for part in Self.parts {
        let (one, two) = (try closeUp(setup, part), try closeUp(other, part))
        #expect(near(one.zoom, two.zoom * times, within: 1e-9))
        #expect(near(one.offset, two.offset))
        #expect(near(one.origin, two.origin))
      }
    }
  }

  @Test func `DT-P10: a tap beside the picture does nothing, one on its border does`() throws {
    let setup = try doubleTap(300, 500)
    for (x, y) in [(-0.1, 250.0), (300.1, 250), (150, -0.1), (150, 500.1)] {
      #expect(try setup.toggled(zoom: 1, tapped: ViewPoint(x: x, y: y)) == nil)
    }
    for (x, y) in [(0.0, 0.0), (300, 500)] {
      #expect(try setup.toggled(zoom: 1, tapped: ViewPoint(x: x, y: y)) != nil)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `DT-P11: numbers that are not finite are refused and named`(bad: Double) throws {
    let setup = try doubleTap(300, 500)
    let good = ViewPoint(x: 150, y: 250)
    let wrong = ViewPoint(x: 150, y: bad)
    let arguments = [
      #expect(throws: GeometryError.self) { try setup.toggled(zoom: bad, tapped: good) },
      #expect(throws: GeometryError.self) { try setup.toggled(zoom: 1, tapped: wrong) },
      #expect(throws: GeometryError.self) { try setup.position(around: wrong, zoom: 1) },
      #expect(throws: GeometryError.self) { try setup.zoomRect(around: good, from: wrong) },
      #expect(throws: GeometryError.self) {
        try setup.refitted(ScrollPosition(zoom: bad, origin: good, offset: good), in: setup)
      },
    ].map { $0?.argument }
    #expect(arguments == ["zoom", "place.y", "place.y", "origin.y", "position.zoom"])
    #expect(throws: GeometryError.self) { try setup.toggled(zoom: 0, tapped: good) }
  }

  @Test func `DT-P11: the largest numbers give finite positions`() throws {
    let setup = try doubleTap(300, 500)
    let far = ViewPoint(x: .greatestFiniteMagnitude, y: -.greatestFiniteMagnitude)
    let position = try setup.position(around: far, zoom: .greatestFiniteMagnitude)
    #expect(position.zoom == 3)
    #expect(position.offset == ViewPoint(x: 525, y: 0))
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

  @Test func `DT-B6: a very thin picture stays thin`() throws {
    let setup = try doubleTap(100, 100_000)
    #expect(prints(setup.closeZoom * 100, as: 1.334, decimals: 3))
  }

  @Test(arguments: sizes)
  func `the rectangle for a scroller with a stale origin leads where it should`(
    width: Double, height: Double
  ) throws {
    for factor in [1, 2, 4, 10.0] {
      let image = ViewSize(width: width, height: height)
      let setup = try DoubleTapSetup(image: image, bounds: phone, factor: factor)
      let scroller = ZoomScroller(
        image: image, bounds: phone, minimumZoom: setup.fitScale, maximumZoom: 3)
      for part in Self.parts {
        let place = place(part, setup)
        let rect = try setup.zoomRect(around: place, from: setup.fitted.origin)
        #expect(near(rect.width / rect.height, 375.0 / 667, within: 1e-12), "DT-P7")
        let right = try setup.position(around: place, zoom: setup.closeZoom)
        let zoomed = scroller.zoomed(to: rect, from: setup.fitted)
        #expect(near(zoomed, right, within: 1e-6), "\(width)x\(height) \(part)")
      }
    }
  }

  @Test func `DT-B2: the rectangle is moved by the difference of the origins, old and new`() throws
  {
    // Forest: o = 192.875, o' = 52.25, z' = 0.46875.
    let setup = try doubleTap(1600, 1200)
    let rect = try setup.zoomRect(around: centre(setup.image), from: setup.fitted.origin)
    #expect(near(rect.x, 400, within: 1e-9) && near(rect.width, 800, within: 1e-9))
    #expect(near(rect.height, 667 / 0.46875, within: 1e-9))
    #expect(near(rect.y + rect.height / 2, 600 - (192.875 - 52.25) / 0.46875, within: 1e-9))
    // From an origin that does not change, its middle is the tapped place.
    let still = try setup.zoomRect(
      around: centre(setup.image), from: ViewPoint(x: 0, y: 52.25))
    #expect(near(still.y + still.height / 2, 600, within: 1e-9))
  }

  @Test func `DT-B5: another size of the screen leaves the fit the fit`() throws {
    let setup = try doubleTap(3264, 4896)
    let turned = try DoubleTapSetup(
      image: setup.image, bounds: ViewSize(width: 667, height: 375))
    #expect(try setup.refitted(setup.fitted, in: turned) == turned.fitted)
    #expect(turned.fitScale == 375.0 / 4896)
  }

  @Test func `DT-B5: another size of the screen keeps the middle and the zoom`() throws {
    let setup = try doubleTap(3264, 4896)
    let turned = try DoubleTapSetup(
      image: setup.image, bounds: ViewSize(width: 667, height: 375))
    let close = try closeUp(setup, ViewPoint(x: 0.5, y: 0.4))
    let place = close.imagePoint(at: middle)
    let refitted = try setup.refitted(close, in: turned)
    #expect(refitted.zoom == close.zoom)
    #expect(near(refitted.imagePoint(at: ViewPoint(x: 333.5, y: 187.5)), place, 1e-6))
    #expect(near(try turned.refitted(refitted, in: setup), close))
    // A zoom that no longer fills the screen becomes the fit.
    let large = try DoubleTapSetup(
      image: setup.image, bounds: ViewSize(width: 2000, height: 3000))
    #expect(near(try setup.refitted(close, in: large), large.fitted))
  }

  @Test func `the rectangle goes by the difference of the origins, where margins remain`() throws {
    // At twice the fit the picture is still narrower than the view: 80 of 375 points.
    let setup = try DoubleTapSetup(
      image: ViewSize(width: 40, height: 600), bounds: ViewSize(width: 375, height: 667))
    let zoom = setup.closeZoom
    let margin = (375 - zoom * 40) / 2
    #expect(margin > 100)
    let (place, origin) = (ViewPoint(x: 12, y: 250), ViewPoint(x: 30, y: 7))
    let rect = try setup.zoomRect(around: place, from: origin)
    #expect(near(rect.width, 375 / zoom, within: 1e-9))
    #expect(near(rect.height, 667 / zoom, within: 1e-9))
    #expect(
      near(rect.x, 12 - rect.width / 2 - (30 - margin) / zoom, within: 1e-9))
    #expect(near(rect.y, 250 - rect.height / 2 - 7 / zoom, within: 1e-9))
  }

  @Test func `a zoom above the fit by the tolerance exactly is still the fit`() throws {
    // Of a thousand fits about one has such a zoom among the floating-point numbers.
    var exact = 0
    for width in 376...6000 {
      let setup = try DoubleTapSetup(
        image: ViewSize(width: Double(width), height: 300), bounds: phone)
      let (fit, limit) = (setup.fitScale, DoubleTapSetup.tolerance * setup.fitScale)
      let zoom = fit + limit
      guard zoom - fit == limit else { continue }
      exact += 1
      #expect(setup.isFitted(zoom) && !setup.isFitted(zoom.nextUp))
    }
    #expect(exact > 0)
  }
}
