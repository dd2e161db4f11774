/// The transition as quri/Titanium published it, defects included; ``Transition`` has the
/// corrections.
///
/// Nothing is validated and nothing throws: an empty thumbnail gives a singular transform or NaN
/// (TI-B5). Its input is the image view's current frame. When presenting, this is the full frame.
/// When dismissing, it is the upright box of a view that may be zoomed (TI-B2) or turned (TI-B3).
public struct OriginalTransition: Sendable, Hashable {
  /// The image view's frame, in points of the viewport.
  public let frame: ViewRect
  /// The scale of ``startTransform``, computed from the converted thumbnail.
  public let scale: Double
  /// The transform that is set on the image view, about its centre: a scale, then a translation.
  public let startTransform: Affine
  /// The crop, in points from the corner of `frame`.
  ///
  /// It is applied in the view's own space, which is as large as `frame` only while the view is
  /// neither zoomed nor turned.
  public let mask: ViewRect
  /// The radius of the mask's corners.
  public let maskRadius: Double

  /// Creates a transition by the published formulas.
  ///
  /// - Parameters:
  ///   - frame: The image view's frame, in points of the viewport.
  ///   - thumbnail: The thumbnail in points of the viewport.
  ///   - ownThumbnail: The thumbnail in points of its parent, if different; mask and radius are
  ///     computed from it (TI-B4).
  ///   - cornerRadius: The radius of the thumbnail's corners, in the thumbnail's points.
  public init(
    frame: ViewRect, thumbnail: ViewRect, ownThumbnail: ViewRect? = nil, cornerRadius: Double = 0
  ) {
    let own = ownThumbnail ?? thumbnail
    let scale = Self.scale(frame, thumbnail)
    let ownScale = Self.scale(frame, own)
    let ratio = own.width / own.height
    let isWider = ratio > frame.width / frame.height
    let width = isWider ? frame.width : frame.height * ratio
    let height = isWider ? frame.width / ratio : frame.height

    self.frame = frame
    self.scale = scale
    let delta = thumbnail.centre - frame.centre
    startTransform = Affine(a: scale, b: 0, c: 0, d: scale, tx: delta.x, ty: delta.y)
    mask = frame.size.atOrigin.centred(width, height)
    maskRadius = cornerRadius / (ownScale == 0 ? 1 : ownScale)
  }

  private static func scale(_ frame: ViewRect, _ thumbnail: ViewRect) -> Double {
    thumbnail.width / thumbnail.height > frame.width / frame.height
      ? thumbnail.width / frame.width : thumbnail.height / frame.height
  }

  /// Returns the mask at a share of the animation's duration, to full screen or back.
  ///
  /// Only the height of a portrait frame and only the width of any other is animated; the other
  /// side has its final length at once (TI-B1).
  public func mask(isClosing: Bool, at share: Double) -> ViewRect {
    let (start, end) = isClosing ? (frame.size, mask.size) : (mask.size, frame.size)
    return frame.height > frame.width
      ? bounds.centred(end.width, start.height.moved(towards: end.height, by: share))
      : bounds.centred(start.width.moved(towards: end.width, by: share), end.height)
  }

  private var bounds: ViewRect { frame.size.atOrigin }
}
