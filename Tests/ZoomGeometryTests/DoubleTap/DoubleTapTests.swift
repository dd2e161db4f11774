import Testing

@testable import ZoomGeometry

/// Tests of the corrected double tap with known numbers; its laws are DT-P1 to DT-P11.
struct DoubleTapSetupTests {
  @Test func `DT-B3: a zoom within a thousandth of the fit, or below it, is the fit`() throws {
    let setup = try doubleTap(3264, 4896)
    let fit = setup.fitScale
    for zoom in [fit, fit.nextUp, fit.nextDown, fit * 1.0009, fit * 0.9] {
      #expect(try setup.toggled(zoom: zoom, tapped: setup.image.atOrigin.centre)?.zoom == 2 * fit)
    }
    for zoom in [fit * 1.0011, fit * 2, 3] {
      #expect(try setup.toggled(zoom: zoom, tapped: setup.image.atOrigin.centre) == setup.fitted)
    }
    #expect(!setup.isFitted(.nan))
  }
}

/// Tests of the published formulas' defects, each shown by a number; `Timelines/DT-*` show the gestures' defects.
struct OriginalDoubleTapTests {
  @Test func `DT-B2: at the largest zoom the published correction of the offset is wrong`() {
    let original = originalDoubleTap(200, 400, factor: 4)
    #expect(original.fitted.origin == ViewPoint(87.5, 133.5))
    #expect(original.centreTapped.zoom == 3)
    #expect(original.centreMissed == ViewPoint(21.875, 33.375))
    // With a factor of 2 a tap does not reach the largest zoom.
    #expect(originalDoubleTap(200, 400).centreMissed == ViewPoint(0, 0))
  }

  @Test func `DT-B4: in an empty scroll view the zoom is 0, and NaN after a tap`() {
    let empty = OriginalDoubleTap(image: ViewSize(300, 500), bounds: ViewSize(0, 0))
    #expect(empty.fitScale == 0)
    #expect(empty.zoomRect(around: middle, from: empty.fitted).width.isNaN)
    #expect(empty.centreTapped.zoom.isNaN && !empty.centreTapped.transform.isFinite)
    // The zoom of an empty picture is 1, because both quotients are infinite.
    let nothing = ViewSize(0, 0)
    #expect(OriginalDoubleTap(image: nothing, bounds: phone).fitScale == 1)
    #expect(OriginalDoubleTap(image: nothing, bounds: nothing).fitScale.isNaN)
  }

  @Test func `DT-B7: in a scroll view that is drawn at half size a tap enlarges four times`() throws
  {
    let scaled = OriginalDoubleTap(
      image: ViewSize(1600, 2000), bounds: phone, frame: ViewSize(187.5, 333.5))
    #expect(scaled.fitScale == 0.234375)
    #expect(scaled.centreTapped.zoom == 0.9375)
    #expect(try doubleTap(1600, 2000).closeZoom == 0.46875)
  }

  /// The rectangle of each version in numbers, for a tap at (120, 450) of 300x700 points, drawn at
  /// zoom 0.8 with the origin (31, 17) in a frame of 410x590: image, bounds and frame differ.
  @Test(arguments: [
    (OriginalDoubleTap.Correction.none, ViewRect(17.5, 302.5, 205, 295)),
    (.unscaled, ViewRect(35.2, 296.4, 144.8, 293.6)), (.scaled, ViewRect(2, 294, 205, 295)),
  ])
  func `each version has its own rectangle`(
    correction: OriginalDoubleTap.Correction, rect: ViewRect
  ) {
    let original = OriginalDoubleTap(
      image: ViewSize(300, 700), bounds: phone, frame: ViewSize(410, 590), factor: 2.5,
      correction: correction)
    let position = ScrollPosition(zoom: 0.8, origin: ViewPoint(31, 17), offset: ViewPoint(0, 0))
    #expect(near(original.zoomRect(around: ViewPoint(120, 450), from: position), rect))
  }
}

/// Tests of the model of the scroll view, which explains the published correction.
struct ScrollViewModelTests {
  private let start = ScrollPosition(
    zoom: 1, origin: ViewPoint(0, 0), offset: ViewPoint(100, 150))

  @Test(arguments: [
    (187.5, 1.0, 2.0), (1, 333.5, 2), (1, 1, 3), (1e9, 1, 0.375), (0, 0, 3), (.nan, .nan, .nan),
  ])
  func `the zoom fits the rectangle and stays in its range; NaN goes in and comes out`(
    width: Double, height: Double, zoom: Double
  ) {
    let shown = originalDoubleTap(1000, 1000).zoomed(to: ViewRect(0, 0, width, height), from: start)
    #expect(zoom.isNaN ? shown.zoom.isNaN && shown.offset.x.isNaN : shown.zoom == zoom)
  }

  @Test func `the offset stays inside the picture, and setting the zoom keeps the middle`() {
    let original = originalDoubleTap(1000, 1000)
    let low = original.zoomed(to: ViewRect(-500, 2000, 187.5, 333.5), from: start)
    #expect(low.offset == ViewPoint(0, 2000 - 667))
    let zoomed = original.zoomed(to: 2, from: start)
    #expect(zoomed.imagePoint(at: middle) == start.imagePoint(at: middle))
    #expect(original.zoomed(to: 0.375, from: zoomed).offset.x == 0)
  }
}

func doubleTap(_ width: Double, _ height: Double) throws -> DoubleTapSetup {
  try DoubleTapSetup(image: ViewSize(width, height), bounds: phone)
}

func originalDoubleTap(_ width: Double, _ height: Double, factor: Double = 2) -> OriginalDoubleTap {
  OriginalDoubleTap(image: ViewSize(width, height), bounds: phone, factor: factor)
}

extension OriginalDoubleTap {
  fileprivate var centreTapped: ScrollPosition { toggled(fitted, tapped: image.atOrigin.centre) }

  /// The vector from the tapped point on the screen to the screen's middle.
  fileprivate var centreMissed: ViewPoint {
    let tapped = centreTapped.transform.apply(to: image.atOrigin.centre)
    return ViewPoint(bounds.width / 2 - tapped.x, bounds.height / 2 - tapped.y)
  }
}
