/// The transition of a picture between a thumbnail and full screen: the transform at the thumbnail,
/// the part of the picture that is visible there, and the corners.
///
/// The idea is quri/Titanium's; ``OriginalTransition`` has the published formulas. The full frame F
/// is the aspect fit of the upright picture in the viewport. The thumbnail T shows the middle of
/// the picture by aspect fill, so the picture starts at
///
///     k     = max(Tw / Fw, Th / Fh)             scale about the centre
///     delta = mid(T) - mid(F)                   translation after the scale
///     mask  = (Tw / k, Th / k)                  centred in the unscaled full frame
///     r     = thumbnail's radius / k            in the same points
///
/// and ends at scale 1, untranslated and unmasked. Both directions use the unscaled, unrotated full
/// frame; the published dismissal uses the frame of the zoomed or turned view (TI-B2, TI-B3).
public struct Transition: Sendable, Hashable {
  /// The thumbnail, in points of the viewport.
  public let thumbnail: ViewRect
  /// The radius of the thumbnail's corners, in points of the viewport.
  public let cornerRadius: Double
  /// The aspect fit of the picture in the viewport, in points.
  public let full: ViewRect
  /// The scale of the full frame at which it fills the thumbnail: k, above zero.
  public let scale: Double
  /// The vector from the full frame's centre to the thumbnail's, in points of the viewport.
  public let delta: ViewPoint
  /// The part of the full frame that the thumbnail shows, in points from the frame's corner.
  ///
  /// It has the thumbnail's aspect ratio, is centred and touches two opposite sides exactly.
  public let mask: ViewRect
  /// The radius of the mask's corners, in points of the full frame.
  public let maskRadius: Double

  /// Creates a transition.
  ///
  /// - Throws: `GeometryError` if a number is not finite or outside the supported range, a radius is
  ///   negative, or a size is not positive, such as an empty thumbnail (TI-B5).
  public init(
    picture: PixelSize, viewport: ViewSize, thumbnail: ViewRect, cornerRadius: Double = 0
  ) throws(GeometryError) {
    self.init(
      picture: picture, checkedViewport: try GeometryError.size(viewport, "viewport"),
      thumbnail: try GeometryError.rect(thumbnail, "thumbnail"),
      cornerRadius: try GeometryError.point(
        GeometryError.notNegative(cornerRadius, "cornerRadius"), "cornerRadius"))
  }

  private init(
    picture: PixelSize, checkedViewport viewport: ViewSize, thumbnail: ViewRect,
    cornerRadius: Double
  ) {
    let full = AspectFit(picture: picture, viewport: viewport).frame
    let across = thumbnail.width / full.width
    let down = thumbnail.height / full.height
    let scale = max(across, down)
    // All of the side that sets the scale is visible; dividing back could be off by a rounding.
    let width = scale == across ? full.width : min(thumbnail.width / scale, full.width)
    let height = scale == down ? full.height : min(thumbnail.height / scale, full.height)

    self.thumbnail = thumbnail
    self.cornerRadius = cornerRadius
    self.full = full
    self.scale = scale
    delta = thumbnail.centre - full.centre
    mask = full.size.atOrigin.centred(width, height)
    maskRadius = cornerRadius / scale
  }

  /// Creates the transition from a stage's view; frame and radius are converted to the viewport.
  ///
  /// The published form takes the mask's ratio from the unconverted frame (TI-B4).
  package init(picture: PixelSize, screen: Screen, stage: Stage) {
    self.init(
      picture: picture, checkedViewport: screen.size,
      thumbnail: stage.placed(stage.view ?? Self.usualThumbnail(on: screen, stage.direction)),
      // Ancestors only translate and scale, by the same factor on both axes.
      cornerRadius: stage.toViewport.a * stage.cornerRadius)
  }

  /// Returns the thumbnail of a stage without a view: 100x100 points at (20, 50) from the leading
  /// corner of the safe area, or proportionally less in a small one.
  package static func usualThumbnail(
    on screen: Screen, _ direction: LayoutDirection = .leftToRight
  ) -> ViewRect {
    let safe = screen.safeArea
    let part = min(1, safe.width / 120, safe.height / 150)
    let margin = 20 * part
    let side = 100 * part
    let leading = direction == .leftToRight ? safe.x + margin : safe.maxX - margin - side
    return ViewRect(x: leading, y: safe.y + 50 * part, width: side, height: side)
  }

  /// The transform about a view's centre that brings the view from the full frame to the thumbnail.
  public var startTransform: Affine {
    Affine.scale(scale).then(.translation(x: delta.x, y: delta.y))
  }

  /// The pose in which the full frame fills the thumbnail.
  var start: TransitionPose { TransitionPose(centre: thumbnail.centre, scale: scale) }

  /// Returns the visible part of the full frame at a share of the way: the thumbnail's mask at 0,
  /// the whole frame at 1, and both sides interpolated between.
  ///
  /// The share is clamped to 0...1. The published mask animates one side only (TI-B1).
  public func mask(openedBy share: Double) throws(GeometryError) -> ViewRect {
    mask.moved(towards: full.size.atOrigin, by: try Self.unit(share))
  }

  /// Returns the radius of the mask's corners at a share of the way, in the full frame's points.
  public func radius(openedBy share: Double) throws(GeometryError) -> Double {
    maskRadius.moved(towards: 0, by: try Self.unit(share))
  }

  private static func unit(_ share: Double) throws(GeometryError) -> Double {
    try GeometryError.finite(share, "share").clamped(to: 0...1)
  }

  func layer(
    of picture: PixelSize, at pose: TransitionPose, openedBy share: Double
  ) throws(GeometryError) -> PictureLayer {
    var layer = PictureLayer(whole: picture, in: full)
    layer.transform = pose.transform(of: full.size)
    if share < 1 {
      let mask = try self.mask(openedBy: share)
      layer.mask = mask
      // A corner is at most a quarter of a circle.
      layer.cornerRadius = min(try radius(openedBy: share), min(mask.width, mask.height) / 2)
    }
    return layer
  }
}
