/// How a picture goes from a thumbnail to full screen: where it starts, what of it is seen there,
/// and with which corners.
///
/// The transition is that of quri/Titanium; ``OriginalTransition`` has its formulas as published.
/// The full frame is the aspect fit of the upright picture in the viewport. A thumbnail shows its
/// centre by aspect fill, so the full picture begins at
///
///     k     = max(Tw / Fw, Th / Fh)             scale about the centre
///     delta = mid(T) - mid(F)                   moved after scaling
///     mask  = (Tw / k, Th / k)                  centred in the full frame's own, unscaled points
///     r     = thumbnail's radius / k            likewise
///
/// and ends at scale 1, not moved, not masked. All of it is made from the full frame as it is
/// unscaled and unrotated, for the way back as for the way there; the published way back starts
/// from the frame of the zoomed or turned view (TI-B2, TI-B3).
public struct Transition: Sendable, Hashable {
  /// The thumbnail, in points of the viewport.
  public let thumbnail: ViewRect

  /// The radius of the thumbnail's corners, in points of the viewport.
  public let cornerRadius: Double

  /// The aspect fit of the picture in the viewport, in points.
  public let full: ViewRect

  /// The scale of the full frame at which it fills the thumbnail: k, above zero.
  public let scale: Double

  /// From the full frame's centre to the thumbnail's, in points of the viewport.
  public let delta: ViewPoint

  /// What of the full frame the thumbnail shows, in points of the frame's own space, whose origin
  /// is its top left corner.
  ///
  /// It has the thumbnail's ratio, is centred and touches two opposite sides to the last bit.
  public let mask: ViewRect

  /// The radius of the mask's corners, in points of the full frame's own space.
  ///
  /// It is no larger than half the mask's shorter side exactly if the thumbnail's is.
  public let maskRadius: Double

  /// Works out a transition.
  ///
  /// - Parameters:
  ///   - picture: The upright size of the picture in pixels.
  ///   - viewport: The size of the screen in points.
  ///   - thumbnail: Where the thumbnail stands, in points of the viewport.
  ///   - cornerRadius: The radius of its corners, in points of the viewport.
  /// - Throws: `GeometryError` if a number is not finite, a size not positive, a radius negative,
  ///   or a number too large or too small to calculate with: an empty thumbnail has no scale
  ///   (TI-B5).
  public init(
    picture: PixelSize, viewport: ViewSize, thumbnail: ViewRect, cornerRadius: Double = 0
  ) throws(GeometryError) {
    self.init(
      picture: picture, checkedViewport: try GeometryError.size(viewport, "viewport"),
      thumbnail: try GeometryError.rect(thumbnail, "thumbnail"),
      cornerRadius: try GeometryError.point(
        GeometryError.notNegative(cornerRadius, "cornerRadius"), "cornerRadius"))
  }

  /// Works out a transition from numbers that are known to be good.
  init(
    picture: PixelSize, checkedViewport viewport: ViewSize, thumbnail: ViewRect,
    cornerRadius: Double
  ) {
    let full = AspectFit(picture: picture, viewport: viewport).frame
    let across = thumbnail.width / full.width
    let down = thumbnail.height / full.height
    let scale = max(across, down)
    // The side that sets the scale is seen whole; dividing back would be off by a rounding.
    let width = scale == across ? full.width : min(thumbnail.width / scale, full.width)
    let height = scale == down ? full.height : min(thumbnail.height / scale, full.height)

    self.thumbnail = thumbnail
    self.cornerRadius = cornerRadius
    self.full = full
    self.scale = scale
    delta = ViewPoint(x: thumbnail.centre.x - full.centre.x, y: thumbnail.centre.y - full.centre.y)
    mask = full.size.atOrigin.centred(width, height)
    maskRadius = cornerRadius / scale
  }

  /// The full frame's own space: its size, at the origin.
  public var bounds: ViewRect { full.size.atOrigin }

  /// The start transform as it is set on a view that stands in the full frame: about its centre.
  public var startTransform: Affine {
    Affine(a: scale, b: 0, c: 0, d: scale, tx: delta.x, ty: delta.y)
  }

  /// Where the full frame stands when it fills the thumbnail.
  public var start: TransitionPose { TransitionPose(centre: thumbnail.centre, scale: scale) }

  /// What is seen on the way, in points of the full frame's own space: the thumbnail's mask at 0,
  /// the whole frame at 1, and both sides evenly between.
  ///
  /// The published mask animates one side and lets the other jump (TI-B1).
  /// - Parameter share: How far the mask has opened; clamped to 0...1.
  /// - Returns: A rectangle with the frame's centre.
  /// - Throws: `GeometryError` if the share is not finite.
  public func mask(openedBy share: Double) throws(GeometryError) -> ViewRect {
    mask.moved(towards: bounds, by: try Self.unit(share))
  }

  /// The radius on the way, in points of the full frame's own space: 0 for the whole frame.
  ///
  /// - Parameter share: How far the mask has opened; clamped to 0...1.
  /// - Returns: Zero or more.
  /// - Throws: `GeometryError` if the share is not finite.
  public func radius(openedBy share: Double) throws(GeometryError) -> Double {
    maskRadius.moved(towards: 0, by: try Self.unit(share))
  }

  private static func unit(_ share: Double) throws(GeometryError) -> Double {
    try GeometryError.finite(share, "share").clamped(to: 0...1)
  }
}
