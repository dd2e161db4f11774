extension DoubleTapSetup {
  /// The whole picture, centred: what is shown at first and after every second double tap.
  public var fitted: ScrollPosition {
    ScrollPosition(zoom: fitScale, origin: axes(fitScale).margins, offset: ViewPoint(x: 0, y: 0))
  }

  /// The zoom of a double tap into the picture: z'.
  public var closeZoom: Double { (fitScale * factor).clamped(to: fitScale...maximumZoom) }

  /// Returns whether a zoom shows the whole picture, give or take `tolerance`.
  ///
  /// A zoom below the fit does so too: a pinch that is let go there bounces back through it.
  public func isFitted(_ zoom: Double) -> Bool { zoom - fitScale <= Self.tolerance * fitScale }

  /// Brings a place of the picture to the middle of the scroll view at a zoom.
  ///
  /// - Parameters:
  ///   - place: The place in image points. It may lie outside the picture.
  ///   - zoom: The wanted zoom in screen points an image point, above zero; clamped to `fitScale`
  ///     ... `maximumZoom`.
  /// - Returns: The position with the place in the middle, or as near to it as scrolling goes.
  /// - Throws: `GeometryError` if a number is not finite or the zoom not positive.
  public func position(
    around place: ViewPoint, zoom: Double
  ) throws(GeometryError) -> ScrollPosition {
    let x = try GeometryError.finite(place.x, "place.x")
    let y = try GeometryError.finite(place.y, "place.y")
    let zoom = try GeometryError.positive(zoom, "zoom").clamped(to: fitScale...maximumZoom)
    let axes = axes(zoom)
    return ScrollPosition(
      zoom: zoom, origin: axes.margins,
      offset: ViewPoint(x: axes.across.offset(centring: x), y: axes.down.offset(centring: y)))
  }

  /// Returns where a double tap leads: from the fit towards the tapped place, otherwise to the fit.
  ///
  ///     let setup = try DoubleTapSetup(
  ///       image: ViewSize(width: 300, height: 500), bounds: ViewSize(width: 375, height: 667))
  ///     let close = try setup.toggled(zoom: 1, tapped: ViewPoint(x: 150, y: 250))
  ///     // close?.offset is (112.5, 166.5)
  ///
  /// - Parameters:
  ///   - zoom: The zoom now, above zero.
  ///   - place: The tapped place in image points: ``ScrollPosition/imagePoint(at:)`` of the touch.
  /// - Returns: The new position; nil if the tap is beside the picture, whose border is inside.
  /// - Throws: `GeometryError` if a number is not finite or the zoom not positive.
  public func toggled(
    zoom: Double, tapped place: ViewPoint
  ) throws(GeometryError) -> ScrollPosition? {
    let close = try position(around: place, zoom: closeZoom)
    let zoom = try GeometryError.positive(zoom, "zoom")
    guard image.atOrigin.contains(place) else { return nil }
    return isFitted(zoom) ? close : fitted
  }

  /// Adapts a position to another size of the scroll view.
  ///
  /// The fit stays the fit. Any other zoom stays, unless it is now below the fit, and so does the
  /// place in the middle, as far as scrolling goes. Published, nothing is calculated anew (DT-B5).
  ///
  /// - Parameters:
  ///   - position: A position in the scroll view of this set-up.
  ///   - new: The set-up with the new size.
  /// - Returns: A position in the scroll view of the new set-up.
  /// - Throws: `GeometryError` if a number of the position is not finite or its zoom not positive.
  public func refitted(
    _ position: ScrollPosition, in new: DoubleTapSetup
  ) throws(GeometryError) -> ScrollPosition {
    let zoom = try GeometryError.positive(position.zoom, "position.zoom")
    if isFitted(zoom) { return new.fitted }
    let middle = ViewPoint(x: bounds.width / 2, y: bounds.height / 2)
    return try new.position(around: position.imagePoint(at: middle), zoom: zoom)
  }
}
