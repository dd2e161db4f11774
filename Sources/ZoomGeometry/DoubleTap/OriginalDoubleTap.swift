/// The double tap of fanyinan/ZoomImageScrollViewDemo as published, defects included.
///
/// It is kept so that tests and demonstrations can show each defect beside its correction in
/// ``DoubleTapSetup``. Nothing is validated and nothing throws: zeros, NaN and infinities go in and
/// come out (DT-B4). With the frame F, the zoom z, the factor R, the zoomed view's origin o and a tap
/// at the image point p, the rectangle sent to the scroll view is, on each axis:
///
///     size   = F / (z R)
///     corner = p - size / 2 - o / (z R)
///
/// What the last term is for the author could not say; ``ZoomScroller`` explains it.
public struct OriginalDoubleTap: Sendable, Hashable {
  /// What is done about the offset that comes out too large.
  public enum Correction: Sendable, Hashable, CaseIterable {
    /// Nothing: the tapped place is missed by o.
    case none
    /// The first version, commit c8fe072, which leaves the zoom out: size (i + 2 o) / R, term o / R.
    case unscaled
    /// The published one, commit 5fb8b8a.
    case scaled
  }

  /// The picture's unscaled size in points.
  public let image: ViewSize

  /// The scroll view's size in its own points, of which the fit is made.
  public let bounds: ViewSize

  /// The scroll view's size in its parent, of which the rectangle is made (DT-B7).
  public let frame: ViewSize

  /// How much larger a double tap shows the picture; 2 as published.
  public let factor: Double

  /// The largest zoom; 3 as published.
  public let maximumZoom: Double

  /// What is done about the offset that comes out too large.
  public let correction: Correction

  /// The zoom that shows the whole picture, unless the bounds have changed since (DT-B5).
  ///
  /// 0 for empty bounds, NaN if the picture is empty too.
  public let fitScale: Double

  /// Evaluates the published formula for the fit.
  ///
  /// - Parameters:
  ///   - image: The picture's unscaled size in points.
  ///   - bounds: The scroll view's size in its own points.
  ///   - frame: The scroll view's size in its parent; without it `bounds`, as in a view without a
  ///     transform.
  ///   - factor: How much larger a double tap shows the picture.
  ///   - maximumZoom: The largest zoom.
  ///   - correction: Which version of the rectangle.
  public init(
    image: ViewSize, bounds: ViewSize, frame: ViewSize? = nil, factor: Double = 2,
    maximumZoom: Double = 3, correction: Correction = .scaled
  ) {
    let across = bounds.width / image.width
    let down = bounds.height / image.height
    self.init(
      image: image, bounds: bounds, frame: frame ?? bounds, factor: factor,
      maximumZoom: maximumZoom, correction: correction,
      fitScale: across > 1 && down > 1 ? 1 : min(across, down))
  }

  private init(
    image: ViewSize, bounds: ViewSize, frame: ViewSize, factor: Double, maximumZoom: Double,
    correction: Correction, fitScale: Double
  ) {
    self.image = image
    self.bounds = bounds
    self.frame = frame
    self.factor = factor
    self.maximumZoom = maximumZoom
    self.correction = correction
    self.fitScale = fitScale
  }

  /// Returns the same scroll view in another size: the fit is not calculated anew (DT-B5).
  public func resized(to bounds: ViewSize) -> OriginalDoubleTap {
    OriginalDoubleTap(
      image: image, bounds: bounds, frame: bounds, factor: factor, maximumZoom: maximumZoom,
      correction: correction, fitScale: fitScale)
  }

  /// The scroll view that the rectangle is sent to.
  public var scroller: ZoomScroller {
    ZoomScroller(image: image, bounds: bounds, minimumZoom: fitScale, maximumZoom: maximumZoom)
  }

  /// What is shown at first.
  public var fitted: ScrollPosition {
    let corner = ViewPoint(x: 0, y: 0)
    return scroller.laidOut(ScrollPosition(zoom: fitScale, origin: corner, offset: corner))
  }

  /// Makes the rectangle that is sent to the scroll view.
  ///
  /// - Parameters:
  ///   - place: The tapped place in image points.
  ///   - position: What is shown.
  /// - Returns: A rectangle in image points.
  public func zoomRect(around place: ViewPoint, from position: ScrollPosition) -> ViewRect {
    let (x, width) = span(place.x, position.origin.x, position.zoom, frame.width, image.width)
    let (y, height) = span(place.y, position.origin.y, position.zoom, frame.height, image.height)
    return ViewRect(x: x, y: y, width: width, height: height)
  }

  /// Zooms as a double tap in the picture does.
  ///
  /// - Parameters:
  ///   - position: What is shown.
  ///   - place: The tapped place in image points, inside the picture.
  /// - Returns: A position with the tapped place in the middle if the zoom is the fit to the last
  ///   bit, otherwise the fit (DT-B3).
  public func toggled(_ position: ScrollPosition, tapped place: ViewPoint) -> ScrollPosition {
    position.zoom == fitScale
      ? scroller.zoomed(to: zoomRect(around: place, from: position), from: position)
      : scroller.zoomed(to: fitScale, from: position)
  }

  /// The rectangle on one axis.
  private func span(
    _ place: Double, _ origin: Double, _ zoom: Double, _ frame: Double, _ image: Double
  ) -> (start: Double, length: Double) {
    let length: Double
    let term: Double
    switch correction {
    case .none:
      length = frame / (zoom * factor)
      term = 0
    case .unscaled:
      length = (image + 2 * origin) / factor
      term = origin / factor
    case .scaled:
      length = frame / (zoom * factor)
      term = origin / (zoom * factor)
    }
    return (place - length / 2 - term, length)
  }
}
