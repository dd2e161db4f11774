/// The position of a zoomed picture in a scroll view: UIScrollView's zoom scale, the zoomed view's
/// frame origin, and the content offset.
///
/// An image point p is shown at
///
///     origin + zoom p - offset
///
/// Nothing is validated, because the published formulas give NaN.
public struct ScrollPosition: Sendable, Hashable {
  /// The number of screen points per image point.
  public var zoom: Double
  /// The picture's corner in the content, in screen points; (0, 0) unless the picture has margins.
  public var origin: ViewPoint
  /// The point of the content at the scroll view's top left corner, in screen points.
  public var offset: ViewPoint

  /// Creates a position.
  public init(zoom: Double, origin: ViewPoint, offset: ViewPoint) {
    self.zoom = zoom
    self.origin = origin
    self.offset = offset
  }

  /// The map from image points to points of the scroll view.
  public var transform: Affine {
    Affine.scale(zoom).then(.translation(x: origin.x - offset.x, y: origin.y - offset.y))
  }

  /// Returns the image point that is shown at a point of the scroll view.
  public func imagePoint(at point: ViewPoint) -> ViewPoint {
    ViewPoint(x: (point.x + offset.x - origin.x) / zoom, y: (point.y + offset.y - origin.y) / zoom)
  }
}

extension ScrollPosition: Movable {
  func moved(towards end: ScrollPosition, by share: Double) -> ScrollPosition {
    ScrollPosition(
      zoom: zoom.moved(towards: end.zoom, by: share),
      origin: origin.moved(towards: end.origin, by: share),
      offset: offset.moved(towards: end.offset, by: share))
  }
}

/// The limits of a zoomed picture in a scroll view, in points; unchecked.
///
/// Both axes use the same calculations, so that transposing the input transposes the result to the
/// last bit (DT-P8).
struct ScrollLimits {
  /// The unscaled size of the picture and the size of the scroll view.
  let image, bounds: ViewSize
  let zoom: Double

  /// The origin that centres the picture: half of the free length on each axis.
  var margins: ViewPoint {
    ViewPoint(
      x: max(0, (bounds.width - zoom * image.width) / 2),
      y: max(0, (bounds.height - zoom * image.height) / 2))
  }

  /// The largest offset that does not scroll past the picture's ends.
  var furthest: ViewPoint {
    ViewPoint(
      x: max(0, zoom * image.width - bounds.width), y: max(0, zoom * image.height - bounds.height))
  }

  /// Returns the nearest offset inside the picture; a number that is NaN traps.
  func clamped(_ offset: ViewPoint) -> ViewPoint {
    ViewPoint(x: offset.x.clamped(to: 0...furthest.x), y: offset.y.clamped(to: 0...furthest.y))
  }
}
