/// The geometry that a double-tap model goes by, in one of its two forms.
enum DoubleTapGeometry: Sendable {
  case corrected(DoubleTapSetup)
  case original(OriginalDoubleTap)

  init(picture: PixelSize, bounds: ViewSize, form: ZoomForm) throws(GeometryError) {
    let setup = try DoubleTapSetup(picture: picture, bounds: bounds)
    switch form {
    case .corrected: self = .corrected(setup)
    case .original: self = .original(OriginalDoubleTap(image: setup.image, bounds: bounds))
    }
  }

  var image: ViewSize {
    switch self {
    case .corrected(let setup): setup.image
    case .original(let original): original.image
    }
  }

  var bounds: ViewSize {
    switch self {
    case .corrected(let setup): setup.bounds
    case .original(let original): original.bounds
    }
  }

  /// The zoom that shows the whole picture; in the original form, that did when the script began.
  var fitScale: Double {
    switch self {
    case .corrected(let setup): setup.fitScale
    case .original(let original): original.fitScale
    }
  }

  /// What is shown at first.
  var fitted: ScrollPosition {
    switch self {
    case .corrected(let setup): setup.fitted
    case .original(let original): original.fitted
    }
  }

  /// Tells whether an image point lies in the picture or on its border: only there are taps seen.
  func contains(_ place: ViewPoint) -> Bool {
    image.atOrigin.contains(place)
  }

  /// Zooms as a double tap in the picture does.
  ///
  /// - Parameters:
  ///   - shown: What is shown, perhaps on its way.
  ///   - target: Where that way leads; `shown` if there is none.
  ///   - place: The tapped image point.
  /// - Returns: Where it leads.
  /// - Throws: `GeometryError` if a number is not finite, which none is in a checked script.
  func toggled(
    shown: ScrollPosition, target: ScrollPosition, tapped place: ViewPoint
  ) throws(GeometryError) -> ScrollPosition {
    switch self {
    case .corrected(let setup):
      // A tap while the picture shrinks to the fit is meant to enlarge it again.
      try setup.toggled(zoom: target.zoom, tapped: place) ?? target
    case .original(let original):
      // Compared with what is shown, so that a zoom on its way to the fit is not the fit (DT-B3).
      original.toggled(shown, tapped: place)
    }
  }

  /// Changes the size and returns what becomes of a position.
  mutating func resize(
    to bounds: ViewSize, from position: ScrollPosition
  ) throws(GeometryError) -> ScrollPosition {
    switch self {
    case .corrected(let setup):
      let resized = try DoubleTapSetup(
        image: setup.image, bounds: bounds, factor: setup.factor, maximumZoom: setup.maximumZoom)
      self = .corrected(resized)
      return try setup.refitted(position, in: resized)
    case .original(let original):
      let resized = original.resized(to: bounds)
      self = .original(resized)
      return resized.scroller.laidOut(resized.scroller.clamped(position))
    }
  }
}
