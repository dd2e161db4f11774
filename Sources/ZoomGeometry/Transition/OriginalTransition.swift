/// The transition as quri/Titanium published it, defects included.
///
/// It is kept so that tests and demonstrations can show each defect beside its correction in
/// ``Transition``. Nothing is validated and nothing throws: an empty thumbnail gives a singular
/// transform or NaN (TI-B5).
///
/// It is handed the frame that the image view has at the moment. That is the full frame when it
/// presents, and when it dismisses the smallest upright box around a view that may be zoomed
/// (TI-B2) or turned (TI-B3).
public struct OriginalTransition: Sendable, Hashable {
  /// The image view's frame, in points of the viewport.
  public let frame: ViewRect

  /// The scale of ``startTransform``, from the converted thumbnail.
  public let scale: Double

  /// The transform that is set on the image view, about its centre: scaled, then moved.
  public let startTransform: Affine

  /// The crop, in points of a space of the frame's size, which is the view's own only while the
  /// view is neither zoomed nor turned.
  public let mask: ViewRect

  /// The radius of the mask's corners.
  public let maskRadius: Double

  /// Evaluates the published formulas.
  ///
  /// - Parameters:
  ///   - frame: The image view's frame, in points of the viewport.
  ///   - thumbnail: The thumbnail in points of the viewport.
  ///   - ownThumbnail: The thumbnail in points of its parent, from which mask and radius are made
  ///     (TI-B4); without it the same.
  ///   - cornerRadius: The radius of the thumbnail's corners, in its own points.
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
    startTransform = Affine(
      a: scale, b: 0, c: 0, d: scale, tx: thumbnail.centre.x - frame.centre.x,
      ty: thumbnail.centre.y - frame.centre.y)
    mask = frame.size.atOrigin.centred(width, height)
    maskRadius = cornerRadius / (ownScale == 0 ? 1 : ownScale)
  }

  /// The mask while the picture is presented, whose animation has come to a share of its way.
  ///
  /// Only the height of a portrait frame is animated and only the width of any other; the other
  /// side is at its end at once (TI-B1).
  public func mask(openedBy share: Double) -> ViewRect {
    let own = frame.size.atOrigin
    return isPortrait
      ? own.centred(frame.width, mask.height.moved(towards: frame.height, by: share))
      : own.centred(mask.width.moved(towards: frame.width, by: share), frame.height)
  }

  /// The mask while the picture is dismissed; see ``mask(openedBy:)``.
  public func mask(closedBy share: Double) -> ViewRect {
    let own = frame.size.atOrigin
    return isPortrait
      ? own.centred(mask.width, frame.height.moved(towards: mask.height, by: share))
      : own.centred(frame.width.moved(towards: mask.width, by: share), mask.height)
  }

  private var isPortrait: Bool { frame.height > frame.width }

  private static func scale(_ frame: ViewRect, _ thumbnail: ViewRect) -> Double {
    thumbnail.width / thumbnail.height > frame.width / frame.height
      ? thumbnail.width / frame.width : thumbnail.height / frame.height
  }
}
