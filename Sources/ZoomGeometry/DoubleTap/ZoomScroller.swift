/// A model of a UIScrollView whose zoomed view is centred whenever it is laid out.
///
/// Apple documents only that the rectangle of `zoom(to:)` is in the zoomed view's own points. This
/// model is the simplest one that gives what the published component's author saw and could not
/// explain: a content offset too large by the zoomed view's `frame.minX` of before, in pictures that
/// are smaller than the screen before the zoom and larger after it, and no others. In order:
///
/// 1. The zoom that fits the rectangle in the bounds, clamped to the allowed ones: z'.
/// 2. The offset that brings the rectangle's centre c to the middle, with the zoomed view's origin
///    as it is *before* the zoom, o: `o + z' c - B / 2`.
/// 3. That offset clamped to 0 ... max(0, z' i - B).
/// 4. The layout, which centres the view: its origin becomes o', which is 0 on an axis that is now
///    longer than the bounds. The offset stays, and is now too large by o - o'.
///
/// On an axis that still fits the clamp hides the error, and where o was 0 there is none. It is
/// inferred, not run against UIKit, whose clamp is known to differ where the content is smaller than
/// the bounds. Nothing is validated and nothing throws: NaN and infinities go in and come out.
public struct ZoomScroller: Sendable, Hashable {
  /// The zoomed view's unscaled size in points: i.
  public var image: ViewSize

  /// The scroll view's size in points: B.
  public var bounds: ViewSize

  /// The smallest zoom.
  public var minimumZoom: Double

  /// The largest zoom.
  public var maximumZoom: Double

  /// Creates a scroll view.
  public init(image: ViewSize, bounds: ViewSize, minimumZoom: Double, maximumZoom: Double) {
    self.image = image
    self.bounds = bounds
    self.minimumZoom = minimumZoom
    self.maximumZoom = maximumZoom
  }

  /// Does what `zoom(to:)` does and the layout that follows it.
  ///
  /// - Parameters:
  ///   - rect: What is to be shown, in image points.
  ///   - position: The position before.
  /// - Returns: The position after.
  public func zoomed(to rect: ViewRect, from position: ScrollPosition) -> ScrollPosition {
    let centre = ViewPoint(x: rect.x + rect.width / 2, y: rect.y + rect.height / 2)
    let zoom = min(bounds.width / rect.width, bounds.height / rect.height)
    return zoomed(to: zoom, aimingAt: centre, from: position)
  }

  /// Returns the position after the zoom is set, which aims at the place in the middle.
  public func zoomed(to zoom: Double, from position: ScrollPosition) -> ScrollPosition {
    let middle = ViewPoint(x: bounds.width / 2, y: bounds.height / 2)
    return zoomed(to: zoom, aimingAt: position.imagePoint(at: middle), from: position)
  }

  /// Returns the position after a layout: the view centred, the offset what it was.
  public func laidOut(_ position: ScrollPosition) -> ScrollPosition {
    var laidOut = position
    laidOut.origin = ScrollAxes(image: image, bounds: bounds, zoom: position.zoom).margins
    return laidOut
  }

  /// Returns the position with its offset clamped, as when the bounds change.
  func clamped(_ position: ScrollPosition) -> ScrollPosition {
    let axes = ScrollAxes(image: image, bounds: bounds, zoom: position.zoom)
    var clamped = position
    clamped.offset = ViewPoint(
      x: position.offset.x.clampedAsPublished(0, axes.across.furthest),
      y: position.offset.y.clampedAsPublished(0, axes.down.furthest))
    return clamped
  }

  private func zoomed(
    to wanted: Double, aimingAt centre: ViewPoint, from position: ScrollPosition
  ) -> ScrollPosition {
    let zoom = wanted.clampedAsPublished(minimumZoom, maximumZoom)
    let aimed = ScrollPosition(
      zoom: zoom, origin: position.origin,
      offset: ViewPoint(
        x: position.origin.x + zoom * centre.x - bounds.width / 2,
        y: position.origin.y + zoom * centre.y - bounds.height / 2))
    return laidOut(clamped(aimed))
  }
}
