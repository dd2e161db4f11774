import Testing

@testable import ZoomGeometry

/// The defects of the published formulas, each with the number that shows it.
///
/// The same inputs stand in `DoubleTapSetupZoomTests` with the right results, or beside the wrong
/// ones here.
struct OriginalDoubleTapTests {
  /// The corrected result of the same tap.
  func right(_ original: OriginalDoubleTap) throws -> ScrollPosition {
    let setup = try DoubleTapSetup(
      image: original.image, bounds: original.bounds, factor: original.factor)
    return try #require(try setup.toggled(zoom: setup.fitScale, tapped: centre(setup.image)))
  }

  static let missed: [(Double, Double, Double, Double)] = [
    (300, 500, 37.5, 83.5), (1600, 2000, 0, 99.125), (3264, 4896, 0, 52.25),
  ]

  @Test(arguments: missed)
  func `DT-P5: without the term the tapped place is missed by the margins`(
    width: Double, height: Double, x: Double, y: Double
  ) throws {
    let plain = originalDoubleTap(width, height, .none)
    #expect(near(plain.centreMissed, ViewPoint(x: x, y: y)))
    #expect(near(plain.fitted.origin, ViewPoint(x: x, y: y)))
    let published = originalDoubleTap(width, height)
    #expect(near(published.centreMissed, ViewPoint(x: 0, y: 0)))
    #expect(near(published.centreTapped, try right(published)))
  }

  @Test func `DT-P5: without the term the offsets are those that were observed`() throws {
    let small = originalDoubleTap(300, 500, .none)
    #expect(small.centreTapped.offset == ViewPoint(x: 150, y: 250))
    #expect(try right(small).offset == ViewPoint(x: 112.5, y: 166.5))
    let petronas = originalDoubleTap(3264, 4896, .none)
    #expect(near(petronas.centreTapped.offset.y, 281.25, within: 1e-9))
    #expect(near(try right(petronas).offset.y, 229, within: 1e-9))
  }

  @Test func `DT-P5: where the picture still fits after the zoom, clamping hides the miss`() throws
  {
    for (width, height) in [(1600.0, 1200.0), (4535, 1823), (140, 140)] {
      for correction in OriginalDoubleTap.Correction.allCases {
        let original = originalDoubleTap(width, height, correction)
        #expect(near(original.centreTapped, try right(original)), "\(width) \(correction)")
      }
    }
  }

  static let first: [(Double, Double, Double)] = [
    (1600, 2000, 75.893), (3264, 4896, 46.247), (460, 690, 9.655),
  ]

  @Test(arguments: first)
  func `DT-B1: the first version forgets the zoom and misses by what is left`(
    width: Double, height: Double, miss: Double
  ) throws {
    let first = originalDoubleTap(width, height, .unscaled)
    #expect(prints(first.centreMissed.y, as: miss, decimals: 3))
    #expect(near(first.centreMissed.x, 0, within: 1e-9))
    #expect(
      near(first.centreMissed.y, first.fitted.origin.y * (1 - first.fitScale), within: 1e-9))
    let tapped = try right(first).screenPoint(of: centre(first.image))
    #expect(near(tapped, middle))
    // Its rectangle has not the screen's aspect either (DT-P7).
    let rect = first.zoomRect(around: centre(first.image), from: first.fitted)
    #expect(abs(rect.width / rect.height - 375.0 / 667) > 0.01)
  }

  @Test func `DT-B1: at zoom 1 the first version is right`() throws {
    let first = originalDoubleTap(300, 500, .unscaled)
    #expect(near(first.centreTapped, try right(first)))
  }

  @Test func `DT-B2: where the largest zoom is in the way, the term is too large or too small`()
    throws
  {
    let original = originalDoubleTap(200, 400, factor: 4)
    #expect(original.fitted.origin == ViewPoint(x: 87.5, y: 133.5))
    #expect(original.centreTapped.zoom == 3)
    #expect(original.centreMissed == ViewPoint(x: 21.875, y: 33.375))
    #expect(near(try right(original).screenPoint(of: centre(original.image)), middle))
    // The factor 2 cannot meet the largest zoom.
    #expect(originalDoubleTap(200, 400).centreMissed == ViewPoint(x: 0, y: 0))
  }

  @Test func `DT-B3: a zoom that is off by a rounding is zoomed out of`() throws {
    let original = originalDoubleTap(3264, 4896)
    let setup = try doubleTap(3264, 4896)
    for zoom in [original.fitScale.nextUp, original.fitScale.nextDown] {
      var position = original.fitted
      position.zoom = zoom
      let toggled = original.toggled(position, tapped: centre(original.image))
      #expect(toggled.zoom == original.fitScale)
      let right = try setup.toggled(zoom: zoom, tapped: centre(setup.image))
      #expect(right?.zoom == setup.closeZoom)
    }
  }

  @Test func `DT-B4: an empty scroll view has zoom 0, and a tap makes NaN of it`() {
    let empty = OriginalDoubleTap(
      image: ViewSize(width: 300, height: 500), bounds: ViewSize(width: 0, height: 0))
    #expect(empty.fitScale == 0)
    let rect = empty.zoomRect(around: centre(empty.image), from: empty.fitted)
    #expect(rect.width.isNaN && rect.height.isNaN && rect.x.isNaN)
    #expect(empty.centreTapped.zoom.isNaN)
    #expect(!empty.centreTapped.transform.isFinite)
  }

  @Test func `DT-B4: an empty picture has zoom 1 by luck, and NaN in an empty scroll view`() {
    let nothing = ViewSize(width: 0, height: 0)
    #expect(OriginalDoubleTap(image: nothing, bounds: phone).fitScale == 1)
    #expect(OriginalDoubleTap(image: nothing, bounds: nothing).fitScale.isNaN)
  }

  @Test func `DT-B5: turned, the picture no longer fits`() throws {
    let turned = originalDoubleTap(3264, 4896).resized(to: ViewSize(width: 667, height: 375))
    #expect(turned.fitScale == 375.0 / 3264)
    #expect(prints(turned.fitScale * 4896, as: 562.5, decimals: 9))
    let right = try DoubleTapSetup(image: turned.image, bounds: turned.bounds)
    #expect(prints(right.fitScale * 4896, as: 375, decimals: 9))
  }

  @Test func `DT-B7: in a scroll view that is drawn at half size a tap enlarges four times`() throws
  {
    let image = ViewSize(width: 1600, height: 2000)
    let half = ViewSize(width: 187.5, height: 333.5)
    let scaled = OriginalDoubleTap(image: image, bounds: phone, frame: half)
    #expect(scaled.fitScale == 0.234375)
    #expect(scaled.centreTapped.zoom == 0.9375)
    #expect(try DoubleTapSetup(image: image, bounds: phone).closeZoom == 0.46875)
  }

  @Test func `DT-B8: what is taken for the picture's size decides whether it is shrunk`() {
    #expect(originalDoubleTap(535, 788).fitScale == 375.0 / 535)
    #expect(originalDoubleTap(267.5, 394).fitScale == 1)
  }

  @Test(arguments: DoubleTapSetupTests.sizes)
  func `DT-P1, DT-P2, DT-P6: with factor 2 the published fit, zoom and return are right`(
    width: Double, height: Double
  ) throws {
    let original = originalDoubleTap(width, height)
    let setup = try doubleTap(width, height)
    #expect(original.fitScale == setup.fitScale)
    #expect(original.fitted == setup.fitted)
    let close = original.centreTapped
    #expect(near(close.zoom / setup.closeZoom, 1, within: 1e-12))
    let back = original.toggled(close, tapped: centre(original.image))
    #expect(near(back, setup.fitted))
  }

  @Test(arguments: [
    (50.0, 200.0, 0.5), (200, 50, 0.5), (200, 300, 1), (100, 300, 1), (300, 100, 1), (80, 50, 0.5),
  ])
  func `the fit fills the nearer side, and enlarges nothing`(
    width: Double, height: Double, fit: Double
  ) {
    let original = OriginalDoubleTap(
      image: ViewSize(width: 100, height: 100), bounds: ViewSize(width: width, height: height))
    #expect(original.fitScale == fit)
  }

  @Test(arguments: OriginalDoubleTap.Correction.allCases)
  func `each version's rectangle is that of its formula, on both axes`(
    correction: OriginalDoubleTap.Correction
  ) {
    // Image, bounds and frame are of three shapes, so that no length stands for another.
    let original = OriginalDoubleTap(
      image: ViewSize(width: 300, height: 700), bounds: ViewSize(width: 375, height: 667),
      frame: ViewSize(width: 410, height: 590), factor: 2.5, correction: correction)
    let position = ScrollPosition(
      zoom: 0.8, origin: ViewPoint(x: 31, y: 17), offset: ViewPoint(x: 0, y: 0))
    let rect = original.zoomRect(around: ViewPoint(x: 120, y: 450), from: position)
    for (start, length, place, origin, frame, image) in [
      (rect.x, rect.width, 120.0, 31.0, 410.0, 300.0),
      (rect.y, rect.height, 450, 17, 590, 700),
    ] {
      let size = correction == .unscaled ? (image + 2 * origin) / 2.5 : frame / (0.8 * 2.5)
      let term =
        switch correction {
        case .none: 0.0
        case .unscaled: origin / 2.5
        case .scaled: origin / (0.8 * 2.5)
        }
      #expect(near(length, size, within: 1e-9))
      #expect(near(start, place - size / 2 - term, within: 1e-9))
    }
  }
}
