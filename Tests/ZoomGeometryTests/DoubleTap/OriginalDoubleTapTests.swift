import Testing

@testable import ZoomGeometry

/// The defects of the published formulas, each with the number that shows it.
///
/// The right results stand beside the wrong ones, or in `DoubleTapSetupZoomTests`.
struct OriginalDoubleTapTests {
  /// The corrected result of the same tap.
  func right(_ original: OriginalDoubleTap) throws -> ScrollPosition {
    let setup = try DoubleTapSetup(
      image: original.image, bounds: original.bounds, factor: original.factor)
    return try #require(try setup.toggled(zoom: setup.fitScale, tapped: centre(setup.image)))
  }

  @Test func `DT-P5: without the term the offsets are those that were observed`() throws {
    let small = originalDoubleTap(300, 500, .none)
    #expect(small.centreTapped.offset == ViewPoint(150, 250))
    #expect(try right(small).offset == ViewPoint(112.5, 166.5))
    let petronas = originalDoubleTap(3264, 4896, .none)
    #expect(near(petronas.centreTapped.offset.y, 281.25, within: 1e-9))
    #expect(near(try right(petronas).offset.y, 229, within: 1e-9))
  }

  @Test(arguments: [(750, 300, 0.5), (300, 1334, 0.5), (750, 1334, 0.5), (100, 100, 1)])
  func `a picture is never enlarged to fit`(width: Double, height: Double, fit: Double) {
    #expect(originalDoubleTap(width, height, .scaled).fitScale == fit)
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
    #expect(near(first.centreMissed.y, first.fitted.origin.y * (1 - first.fitScale), within: 1e-9))
    let tapped = try right(first).screenPoint(of: centre(first.image))
    #expect(near(tapped, middle))
    // Its rectangle has not the screen's aspect either (DT-P7).
    let rect = first.zoomRect(around: centre(first.image), from: first.fitted)
    #expect(abs(rect.width / rect.height - 375.0 / 667) > 0.01)
  }

  @Test func `DT-B2: where the largest zoom is in the way, the term is too large or too small`()
    throws
  {
    let original = originalDoubleTap(200, 400, factor: 4)
    #expect(original.fitted.origin == ViewPoint(87.5, 133.5))
    #expect(original.centreTapped.zoom == 3)
    #expect(original.centreMissed == ViewPoint(21.875, 33.375))
    #expect(near(try right(original).screenPoint(of: centre(original.image)), middle))
    // The factor 2 cannot meet the largest zoom.
    #expect(originalDoubleTap(200, 400).centreMissed == ViewPoint(0, 0))
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
    let empty = OriginalDoubleTap(image: ViewSize(300, 500), bounds: ViewSize(0, 0))
    #expect(empty.fitScale == 0)
    let rect = empty.zoomRect(around: centre(empty.image), from: empty.fitted)
    #expect(rect.width.isNaN && rect.height.isNaN && rect.x.isNaN)
    #expect(empty.centreTapped.zoom.isNaN)
    #expect(!empty.centreTapped.transform.isFinite)
  }

  @Test func `DT-B4: an empty picture has zoom 1 by luck, and NaN in an empty scroll view`() {
    let nothing = ViewSize(0, 0)
    #expect(OriginalDoubleTap(image: nothing, bounds: phone).fitScale == 1)
    #expect(OriginalDoubleTap(image: nothing, bounds: nothing).fitScale.isNaN)
  }

  @Test func `DT-B5: turned, the picture no longer fits`() throws {
    let turned = originalDoubleTap(3264, 4896).resized(to: ViewSize(667, 375))
    #expect(turned.fitScale == 375.0 / 3264)
    #expect(prints(turned.fitScale * 4896, as: 562.5, decimals: 9))
    let right = try DoubleTapSetup(image: turned.image, bounds: turned.bounds)
    #expect(prints(right.fitScale * 4896, as: 375, decimals: 9))
  }

  @Test func `DT-B7: in a scroll view that is drawn at half size a tap enlarges four times`() throws
  {
    let image = ViewSize(1600, 2000)
    let half = ViewSize(187.5, 333.5)
    let scaled = OriginalDoubleTap(image: image, bounds: phone, frame: half)
    #expect(scaled.fitScale == 0.234375)
    #expect(scaled.centreTapped.zoom == 0.9375)
    #expect(try DoubleTapSetup(image: image, bounds: phone).closeZoom == 0.46875)
  }

  @Test func `DT-B8: what is taken for the picture's size decides whether it is shrunk`() {
    #expect(originalDoubleTap(535, 788).fitScale == 375.0 / 535)
    #expect(originalDoubleTap(267.5, 394).fitScale == 1)
  }

  @Test(arguments: OriginalDoubleTap.Correction.allCases)
  func `each version's rectangle is that of its formula, on both axes`(
    correction: OriginalDoubleTap.Correction
  ) {
    // Image, bounds and frame are of three shapes, so that no length stands for another.
    let original = OriginalDoubleTap(
      image: ViewSize(300, 700), bounds: ViewSize(375, 667),
      frame: ViewSize(410, 590), factor: 2.5, correction: correction)
    let position = ScrollPosition(zoom: 0.8, origin: ViewPoint(31, 17), offset: ViewPoint(0, 0))
    let rect = original.zoomRect(around: ViewPoint(120, 450), from: position)
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

/// The model that explains the published correction.
struct ZoomScrollerTests {
  let corner = ViewPoint(0, 0)

  func scroller(_ width: Double, _ height: Double, _ fit: Double) -> ZoomScroller {
    ZoomScroller(image: ViewSize(width, height), bounds: phone, minimumZoom: fit, maximumZoom: 3)
  }

  @Test func `it aims with the origin of before, and is off by what the layout takes away`() {
    let scroller = scroller(300, 500, 1)
    let fitted = scroller.laidOut(ScrollPosition(zoom: 1, origin: corner, offset: corner))
    let rect = ViewRect(150 - 93.75, 250 - 166.75, 187.5, 333.5)
    let zoomed = scroller.zoomed(to: rect, from: fitted)
    #expect(zoomed.zoom == 2)
    #expect(zoomed.offset == ViewPoint(150, 250))
    // 112.5 and 166.5 would show the rectangle: the difference is the origin of before.
    let seen = zoomed.imagePoint(at: corner)
    #expect(seen.x - rect.x == fitted.origin.x / 2)
    #expect(seen.y - rect.y == fitted.origin.y / 2)
  }

  @Test func `the zoom fits the rectangle and stays in its range`() {
    let scroller = scroller(1000, 1000, 0.5)
    let start = ScrollPosition(zoom: 1, origin: corner, offset: corner)
    let zoom = { (width: Double, height: Double) in
      scroller.zoomed(to: ViewRect(0, 0, width, height), from: start).zoom
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
    let low = ViewRect(-500, 2000, 187.5, 333.5)
    #expect(scroller.zoomed(to: low, from: start).offset == ViewPoint(0, 2000 - 667))
  }

  @Test func `setting the zoom keeps the middle, but for the origin of before`() {
    let scroller = scroller(1000, 1000, 0.375)
    let start = ScrollPosition(zoom: 1, origin: corner, offset: ViewPoint(100, 150))
    let zoomed = scroller.zoomed(to: 2, from: start)
    #expect(zoomed.imagePoint(at: middle) == start.imagePoint(at: middle))
    #expect(scroller.zoomed(to: 0.375, from: zoomed).offset.x == 0)
  }

  @Test func `DT-B4: NaN goes in and comes out`() {
    let empty = ZoomScroller(
      image: ViewSize(300, 500), bounds: ViewSize(0, 0), minimumZoom: 0, maximumZoom: 3)
    let start = ScrollPosition(zoom: 0, origin: corner, offset: corner)
    let rect = ViewRect(.nan, .nan, .nan, .nan)
    #expect(empty.zoomed(to: rect, from: start).zoom.isNaN)
    #expect(empty.zoomed(to: rect, from: start).offset.x.isNaN)
  }
}

/// A picture of so many points on the phone's screen.
func doubleTap(_ width: Double, _ height: Double) throws -> DoubleTapSetup {
  try DoubleTapSetup(image: ViewSize(width, height), bounds: phone)
}

/// The same picture as published.
func originalDoubleTap(
  _ width: Double, _ height: Double, _ correction: OriginalDoubleTap.Correction = .scaled,
  factor: Double = 2
) -> OriginalDoubleTap {
  OriginalDoubleTap(
    image: ViewSize(width, height), bounds: phone, factor: factor, correction: correction)
}

/// The middle of a picture, in its points.
func centre(_ image: ViewSize) -> ViewPoint { ViewPoint(image.width / 2, image.height / 2) }

extension OriginalDoubleTap {
  /// Where a double tap at the picture's middle leads from the whole picture.
  var centreTapped: ScrollPosition { toggled(fitted, tapped: centre(image)) }

  /// How far above and left of the screen's middle that shows the tapped place.
  var centreMissed: ViewPoint {
    let tapped = centreTapped.screenPoint(of: centre(image))
    return ViewPoint(bounds.width / 2 - tapped.x, bounds.height / 2 - tapped.y)
  }
}

/// Tells whether two positions are the same but for rounding.
func near(
  _ first: ScrollPosition, _ second: ScrollPosition, within tolerance: Double = 1e-9
) -> Bool {
  near(first.zoom, second.zoom, within: tolerance) && near(first.origin, second.origin, tolerance)
    && near(first.offset, second.offset, tolerance)
}
