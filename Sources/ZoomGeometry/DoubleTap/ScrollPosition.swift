/// Where a zoomed picture stands in a scroll view: what UIScrollView calls the zoom scale, the
/// zoomed view's frame origin, and the content offset.
///
/// An image point p stands on the screen at
///
///     origin + zoom p - offset
///
/// The origin is not multiplied by the zoom: the zoomed view's frame belongs to the content, which
/// is not scaled. Nothing is validated, for the published formulas put NaN into it.
public struct ScrollPosition: Sendable, Hashable {
  /// Screen points an image point.
  public var zoom: Double

  /// Where the picture's corner stands in the scrolled content, in screen points: the margins that
  /// centre a picture smaller than the scroll view.
  public var origin: ViewPoint

  /// What of the content stands in the scroll view's corner, in screen points.
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

  /// Returns where an image point stands in the scroll view, in its points.
  public func screenPoint(of place: ViewPoint) -> ViewPoint { transform.apply(to: place) }

  /// Returns the image point that stands at a point of the scroll view.
  public func imagePoint(at point: ViewPoint) -> ViewPoint {
    ViewPoint(x: (point.x + offset.x - origin.x) / zoom, y: (point.y + offset.y - origin.y) / zoom)
  }
}

extension ScrollPosition: Movable {
  /// The position a share of the way from this one to another, each number by itself.
  func moved(towards end: ScrollPosition, by share: Double) -> ScrollPosition {
    ScrollPosition(
      zoom: zoom.moved(towards: end.zoom, by: share),
      origin: origin.moved(towards: end.origin, by: share),
      offset: offset.moved(towards: end.offset, by: share))
  }

  /// Pushes the picture with a finger.
  ///
  /// - Parameters:
  ///   - push: How far, in points; finite.
  ///   - image: The picture's unscaled size in points.
  ///   - bounds: The scroll view's size in points.
  /// - Returns: The position after; the picture goes with the finger as far as it scrolls.
  func scrolled(by push: ViewPoint, image: ViewSize, bounds: ViewSize) -> ScrollPosition {
    let axes = ScrollAxes(image: image, bounds: bounds, zoom: zoom)
    var scrolled = self
    scrolled.offset = ViewPoint(
      x: (offset.x - push.x).clamped(to: 0...axes.across.furthest),
      y: (offset.y - push.y).clamped(to: 0...axes.down.furthest))
    return scrolled
  }
}
