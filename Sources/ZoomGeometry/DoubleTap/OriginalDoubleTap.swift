/// The double tap of fanyinan/ZoomImageScrollViewDemo as published, defects included;
/// ``DoubleTapSetup`` has the corrections.
///
/// Nothing is validated and nothing throws: zeros, NaN and infinities go in and come out (DT-B4).
/// With the frame F, the zoom z, the factor R, the zoomed view's origin o and a tap at the image
/// point p, the rectangle for the scroll view is, on each axis:
///
///     size   = F / (z R)
///     corner = p - size / 2 - o / (z R)
///
/// The author could not explain the last term; the model of a scroll view below explains it.
public struct OriginalDoubleTap: Sendable, Hashable {
  /// A version of the author's correction for an offset that is too large.
  public enum Correction: Sendable, Hashable, CaseIterable {
    /// No correction: the tapped point is missed by o.
    case none
    /// The first version, commit c8fe072, without the zoom: size (i + 2 o) / R, term o / R.
    case unscaled
    /// The published version, commit 5fb8b8a.
    case scaled
  }

  /// The picture's unscaled size in points.
  public let image: ViewSize
  /// The scroll view's size in its own points, from which the fit is computed.
  public private(set) var bounds: ViewSize
  /// The scroll view's size in its parent, from which the rectangle is computed (DT-B7).
  public private(set) var frame: ViewSize
  /// The enlargement of a double tap; 2 as published.
  public let factor: Double
  /// The largest zoom; 3 as published.
  public let maximumZoom: Double
  /// The version of the rectangle.
  public let correction: Correction
  /// The zoom that shows the whole picture, unless the bounds have changed since (DT-B5).
  ///
  /// It is 0 for empty bounds, NaN if the picture is empty too.
  public let fitScale: Double

  /// Creates a scroll view with the published formula for the fit.
  ///
  /// The frame defaults to the bounds, as in a view without a transform.
  public init(
    image: ViewSize, bounds: ViewSize, frame: ViewSize? = nil, factor: Double = 2,
    maximumZoom: Double = 3, correction: Correction = .scaled
  ) {
    let across = bounds.width / image.width
    let down = bounds.height / image.height
    self.image = image
    self.bounds = bounds
    self.frame = frame ?? bounds
    self.factor = factor
    self.maximumZoom = maximumZoom
    self.correction = correction
    fitScale = across > 1 && down > 1 ? 1 : min(across, down)
  }

  /// The first position.
  public var fitted: ScrollPosition {
    laidOut(fitScale, ViewPoint(x: 0, y: 0))
  }

  /// Returns the rectangle to zoom to, in image points, after a double tap at an image point.
  public func zoomRect(around place: ViewPoint, from position: ScrollPosition) -> ViewRect {
    let (x, width) = span(place.x, position.origin.x, position.zoom, frame.width, image.width)
    let (y, height) = span(place.y, position.origin.y, position.zoom, frame.height, image.height)
    return ViewRect(x: x, y: y, width: width, height: height)
  }

  private func span(
    _ place: Double, _ origin: Double, _ zoom: Double, _ frame: Double, _ image: Double
  ) -> (start: Double, length: Double) {
    let (length, term) =
      switch correction {
      case .none: (frame / (zoom * factor), 0.0)
      case .unscaled: ((image + 2 * origin) / factor, origin / factor)
      case .scaled: (frame / (zoom * factor), origin / (zoom * factor))
      }
    return (place - length / 2 - term, length)
  }

  /// Returns the position after a double tap at an image point inside the picture: the point in the
  /// middle if the zoom is the fit to the last bit, otherwise the fit (DT-B3).
  public func toggled(_ position: ScrollPosition, tapped place: ViewPoint) -> ScrollPosition {
    position.zoom == fitScale
      ? zoomed(to: zoomRect(around: place, from: position), from: position)
      : zoomed(to: fitScale, from: position)
  }
}

extension OriginalDoubleTap: DoubleTapForm {
  static var form: ZoomForm { .original }

  init(picture: PixelSize, scale: Double, bounds: ViewSize) {
    self.init(
      image: ViewSize(width: Double(picture.width) / scale, height: Double(picture.height) / scale),
      bounds: bounds)
  }

  func toggled(
    shown: ScrollPosition, end: ScrollPosition, tapped place: ViewPoint
  ) -> ScrollPosition {
    // The visible zoom is compared, so a picture that is still on its way to the fit does not count
    // as fitted (DT-B3).
    toggled(shown, tapped: place)
  }

  /// Changes the size; the fit stays the old one (DT-B5).
  mutating func resize(to bounds: ViewSize, from position: ScrollPosition) -> ScrollPosition {
    guard bounds != self.bounds else { return position }
    (self.bounds, frame) = (bounds, bounds)
    return laidOut(position.zoom, position.offset)
  }
}

/// A model of a UIScrollView whose zoomed view is centred in every layout pass.
///
/// It is the simplest model that explains what the author saw: an offset too large by the zoomed view's
/// former origin, only for pictures that are smaller than the screen before the zoom and larger after
/// it. In order:
///
/// 1. The zoom z' fits the rectangle in the bounds, and is clamped to its limits.
/// 2. The offset brings the rectangle's centre c to the middle, with the origin o *before* the zoom:
///    `o + z' c - B / 2`, clamped to 0 ... max(0, z' i - B).
/// 3. The layout centres the view. Its origin becomes o', which is 0 on an axis longer than the
///    bounds. The offset stays, and is now too large by o - o'.
///
/// On an axis that still fits, the clamp hides the error. Apple documents only that the rectangle
/// is in the zoomed view's coordinates, so the rest of this model is a guess. Where the content is
/// smaller than the bounds, UIKit clamps differently.
extension OriginalDoubleTap {
  /// Returns the position after `zoom(to:)` with a rectangle in image points, and the layout.
  func zoomed(to rect: ViewRect, from position: ScrollPosition) -> ScrollPosition {
    let zoom = min(bounds.width / rect.width, bounds.height / rect.height)
    return zoomed(to: zoom, aimingAt: rect.centre, from: position)
  }

  /// Returns the position after the zoom is set, which keeps the point in the middle.
  func zoomed(to zoom: Double, from position: ScrollPosition) -> ScrollPosition {
    let middle = position.imagePoint(at: bounds.atOrigin.centre)
    return zoomed(to: zoom, aimingAt: middle, from: position)
  }

  private func zoomed(
    to wanted: Double, aimingAt centre: ViewPoint, from position: ScrollPosition
  ) -> ScrollPosition {
    let zoom = wanted.clampedAsPublished(fitScale, maximumZoom)
    let middle = bounds.atOrigin.centre
    return laidOut(
      zoom,
      ViewPoint(
        x: position.origin.x + zoom * centre.x - middle.x,
        y: position.origin.y + zoom * centre.y - middle.y))
  }

  /// Returns the position after the offset is clamped and the view is centred.
  private func laidOut(_ zoom: Double, _ offset: ViewPoint) -> ScrollPosition {
    let limits = ScrollLimits(image: image, bounds: bounds, zoom: zoom)
    return ScrollPosition(
      zoom: zoom, origin: limits.margins,
      offset: ViewPoint(
        x: offset.x.clampedAsPublished(0, limits.furthest.x),
        y: offset.y.clampedAsPublished(0, limits.furthest.y)))
  }
}
