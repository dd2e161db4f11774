/// What the two forms of the double tap do differently.
protocol DoubleTapForm: Sendable {
  init(picture: PixelSize, screen: Screen) throws(GeometryError)

  /// The picture's unscaled size, and the scroll view's, in points.
  var image: ViewSize { get }
  var bounds: ViewSize { get }
  /// The zoom that shows the whole picture.
  var fitScale: Double { get }
  /// What is shown at first.
  var fitted: ScrollPosition { get }

  /// Zooms as a double tap in the picture does.
  ///
  /// - Parameters:
  ///   - shown: What is shown, perhaps on its way.
  ///   - target: Where that way leads; `shown` if there is none.
  ///   - place: The tapped image point.
  /// - Returns: Where it leads.
  /// - Throws: `GeometryError` if a number is not finite, which none is of checked events.
  func toggled(
    shown: ScrollPosition, target: ScrollPosition, tapped place: ViewPoint
  ) throws(GeometryError) -> ScrollPosition

  /// The position on whole pixels of the screen, where picture pixels cover whole ones.
  func aligned(_ position: ScrollPosition) -> ScrollPosition

  /// Changes the size and returns what becomes of a position.
  mutating func resize(
    to screen: Screen, from position: ScrollPosition
  ) throws(GeometryError) -> ScrollPosition
}

/// As it should be; see ``DoubleTapSetup``.
struct CorrectedDoubleTapForm: DoubleTapForm {
  private var setup: DoubleTapSetup
  private var screen: Screen

  init(picture: PixelSize, screen: Screen) throws(GeometryError) {
    self.screen = screen
    setup = try DoubleTapSetup(picture: picture, bounds: screen.size)
  }

  var image: ViewSize { setup.image }
  var bounds: ViewSize { setup.bounds }
  var fitScale: Double { setup.fitScale }
  var fitted: ScrollPosition { aligned(setup.fitted) }

  func aligned(_ position: ScrollPosition) -> ScrollPosition {
    guard screen.showsWhole(pixelOf: position.zoom) else { return position }
    var aligned = position
    aligned.origin.x = screen.onPixel(position.origin.x)
    aligned.origin.y = screen.onPixel(position.origin.y)
    let axes = setup.axes(position.zoom)
    aligned.offset.x = screen.onPixel(position.offset.x, upTo: axes.across.furthest)
    aligned.offset.y = screen.onPixel(position.offset.y, upTo: axes.down.furthest)
    return aligned
  }

  func toggled(
    shown: ScrollPosition, target: ScrollPosition, tapped place: ViewPoint
  ) throws(GeometryError) -> ScrollPosition {
    // A tap while the picture shrinks to the fit is meant to enlarge it again.
    aligned(try setup.toggled(zoom: target.zoom, tapped: place) ?? target)
  }

  mutating func resize(
    to screen: Screen, from position: ScrollPosition
  ) throws(GeometryError) -> ScrollPosition {
    let before = setup
    self.screen = screen
    setup = try DoubleTapSetup(
      image: before.image, bounds: screen.size, factor: before.factor,
      maximumZoom: before.maximumZoom)
    return aligned(try before.refitted(position, in: setup))
  }
}

/// As published; see ``OriginalDoubleTap``.
struct OriginalDoubleTapForm: DoubleTapForm {
  private var original: OriginalDoubleTap

  init(picture: PixelSize, screen: Screen) {
    original = OriginalDoubleTap(
      image: ViewSize(width: Double(picture.width), height: Double(picture.height)),
      bounds: screen.size)
  }

  var image: ViewSize { original.image }
  var bounds: ViewSize { original.bounds }
  /// The zoom that showed the whole picture when it began (DT-B5).
  var fitScale: Double { original.fitScale }
  var fitted: ScrollPosition { original.fitted }
  func aligned(_ position: ScrollPosition) -> ScrollPosition { position }

  func toggled(
    shown: ScrollPosition, target: ScrollPosition, tapped place: ViewPoint
  ) -> ScrollPosition {
    // Compared with what is shown, so that a zoom on its way to the fit is not the fit (DT-B3).
    original.toggled(shown, tapped: place)
  }

  mutating func resize(to screen: Screen, from position: ScrollPosition) -> ScrollPosition {
    guard screen.size != original.bounds else { return position }
    original = original.resized(to: screen.size)
    return original.scroller.laidOut(original.scroller.clamped(position))
  }
}
