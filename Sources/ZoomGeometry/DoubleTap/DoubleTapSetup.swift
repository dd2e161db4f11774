/// A picture in a scroll view that shows all of it, and a part after a double tap.
///
/// The idea is fanyinan's ZoomImageScrollViewDemo; ``OriginalDoubleTap`` has the published formulas.
/// This is the corrected form. With the scroll view's size B, the picture's size i, the factor R and
/// the largest zoom Zmax, on each axis:
///
///     z    = min(1, Bw / iw, Bh / ih)               fits, and never enlarges
///     z'   = R z, clamped to z ... Zmax
///     o'   = max(0, (B - z' i) / 2)                 centres a smaller picture
///     off' = z' p - B / 2, clamped to 0 ... max(0, z' i - B)
///
/// for a tap at the image point p. Zoom, origin and offset are computed together. In the published
/// form the offset depends on the origin that the picture had before the zoom, and so has to be
/// corrected.
public struct DoubleTapSetup: Sendable, Hashable {
  /// The picture's unscaled size in points.
  public let image: ViewSize
  /// The scroll view's size in points.
  public let bounds: ViewSize
  /// The enlargement of a double tap.
  public let factor: Double
  /// The largest zoom, in screen points per image point.
  public let maximumZoom: Double
  /// The zoom that shows the whole picture, in screen points per image point; at most 1.
  public let fitScale: Double
  /// The largest relative difference from `fitScale` at which a zoom counts as the fit.
  ///
  /// On a screen of up to 1000 points it is at most a point, much more than the errors of rounding
  /// and animations. With an exact comparison, a double tap zooms out although the whole picture is
  /// shown, if the zoom differs from the fit by its last bit (DT-B3).
  public static let tolerance = 0.001

  /// Creates a setup whose numbers are checked once for all taps.
  ///
  /// - Parameters:
  ///   - image: The picture's unscaled size in points: half of the pixels of a @2x picture (DT-B8).
  ///   - bounds: UIKit's `bounds` of the scroll view, not its transformed `frame` (DT-B7).
  ///   - factor: The enlargement of a double tap, at least 1. The published factor of 2 does not in
  ///     general lead to 1:1 (DT-B6). For 1:1, use the factor 1 / `fitScale`.
  ///   - maximumZoom: The largest zoom, at least 1.
  /// - Throws: `GeometryError` if a number is not finite or outside the supported range.
  public init(
    image: ViewSize, bounds: ViewSize, factor: Double = 2, maximumZoom: Double = 3
  ) throws(GeometryError) {
    self.image = try GeometryError.size(image, "image")
    self.factor = try Self.enlargement(factor, "factor")
    self.maximumZoom = try Self.enlargement(maximumZoom, "maximumZoom")
    self.bounds = try GeometryError.size(bounds, "bounds")
    fitScale = min(1, bounds.width / image.width, bounds.height / image.height)
  }

  /// Creates a setup from the picture's upright size in pixels and the pixels per point: 2 for a
  /// @2x picture.
  public init(picture: PixelSize, scale: Double = 1, bounds: ViewSize) throws(GeometryError) {
    let scale = try GeometryError.length(scale, "scale")
    try self.init(
      image: ViewSize(width: Double(picture.width) / scale, height: Double(picture.height) / scale),
      bounds: bounds)
  }

  private static func enlargement(
    _ value: Double, _ argument: String
  ) throws(GeometryError) -> Double {
    guard try GeometryError.length(value, argument) >= 1 else {
      throw GeometryError(argument: argument, value: value, reason: .contradiction("is below 1"))
    }
    return value
  }

  /// The initial position, and the one after every second double tap: the whole picture, centred.
  public var fitted: ScrollPosition {
    let limits = ScrollLimits(image: image, bounds: bounds, zoom: fitScale)
    return ScrollPosition(zoom: fitScale, origin: limits.margins, offset: ViewPoint(x: 0, y: 0))
  }

  /// The zoom after a double tap into the picture: z'.
  public var closeZoom: Double { (fitScale * factor).clamped(to: fitScale...maximumZoom) }

  /// Returns whether a zoom shows the whole picture, within `tolerance`.
  ///
  /// A zoom below the fit counts, too, because a pinch that ends there bounces back.
  public func isFitted(_ zoom: Double) -> Bool { zoom - fitScale <= Self.tolerance * fitScale }

  /// Returns the position with an image point in the middle of the scroll view, or as near to it as
  /// scrolling can bring it.
  ///
  /// The point may lie outside the picture, and the zoom is clamped to `fitScale` ... `maximumZoom`.
  public func position(
    around place: ViewPoint, zoom: Double
  ) throws(GeometryError) -> ScrollPosition {
    let x = try GeometryError.finite(place.x, "place.x")
    let y = try GeometryError.finite(place.y, "place.y")
    let zoom = try GeometryError.positive(zoom, "zoom").clamped(to: fitScale...maximumZoom)
    let limits = ScrollLimits(image: image, bounds: bounds, zoom: zoom)
    return ScrollPosition(
      zoom: zoom, origin: limits.margins,
      offset: limits.clamped(
        ViewPoint(x: zoom * x - bounds.width / 2, y: zoom * y - bounds.height / 2)))
  }

  /// Returns the position after a double tap: a close-up of the tapped point if the zoom is the
  /// fit, otherwise the fit.
  ///
  ///     let setup = try DoubleTapSetup(
  ///       image: ViewSize(width: 300, height: 500), bounds: ViewSize(width: 375, height: 667))
  ///     let close = try setup.toggled(zoom: 1, tapped: ViewPoint(x: 150, y: 250))
  ///     // close?.offset is (112.5, 166.5)
  ///
  /// - Parameters:
  ///   - zoom: The current zoom, above zero.
  ///   - place: The tapped point in image points: ``ScrollPosition/imagePoint(at:)`` of the touch.
  /// - Returns: The new position; nil if the tap is beside the picture.
  /// - Throws: `GeometryError` if a number is not finite or the zoom not positive.
  public func toggled(
    zoom: Double, tapped place: ViewPoint
  ) throws(GeometryError) -> ScrollPosition? {
    let close = try position(around: place, zoom: closeZoom)
    let zoom = try GeometryError.positive(zoom, "zoom")
    guard image.atOrigin.contains(place) else { return nil }
    return isFitted(zoom) ? close : fitted
  }

  /// Returns a position adapted to another size of the scroll view.
  ///
  /// The fit stays the fit. Any other zoom is clamped to the new limits, and the point in the
  /// middle stays there as far as scrolling allows. The published form does not recompute the fit
  /// (DT-B5).
  public func refitted(
    _ position: ScrollPosition, in new: DoubleTapSetup
  ) throws(GeometryError) -> ScrollPosition {
    let zoom = try GeometryError.positive(position.zoom, "position.zoom")
    if isFitted(zoom) { return new.fitted }
    return try new.position(
      around: position.imagePoint(at: bounds.atOrigin.centre), zoom: zoom)
  }
}

extension DoubleTapSetup: DoubleTapForm {
  static var form: ZoomForm { .corrected }

  func toggled(
    shown: ScrollPosition, end: ScrollPosition, tapped place: ViewPoint
  ) throws(GeometryError) -> ScrollPosition {
    // A double tap during the animation to the fit enlarges the picture again.
    try toggled(zoom: end.zoom, tapped: place) ?? end
  }

  mutating func resize(
    to bounds: ViewSize, from position: ScrollPosition
  ) throws(GeometryError) -> ScrollPosition {
    let before = self
    self = try DoubleTapSetup(
      image: image, bounds: bounds, factor: factor, maximumZoom: maximumZoom)
    return try before.refitted(position, in: self)
  }
}
