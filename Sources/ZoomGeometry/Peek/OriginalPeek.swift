/// The peek as FlexMonkey/ForceZoom published it, defects included.
///
/// It exists so that each defect can be compared with its correction, ``PeekSetup/peek(at:)``. Do not crop with it.
/// Nothing is validated and nothing throws: zeros, NaN and infinities go in and come out.
///
/// With the touch (x, y), the viewport W x H, the picture w x h, the peek's side P, the letterbox's left
/// and top bars lb and tb, and the preview's view VW x VH:
///
///     s       = min(W / w, H / h)
///     offset  = ((P s) / (w s)) / 2             made from the width, used for both axes (FZ-B1)
///     n       = ((x - lb) / (w s) - offset, (y - tb) / (h s) - offset)
///     origin  = n clamped to 0 ... 1            not to 1 - size: the crop runs off (FZ-B2, FZ-B3)
///     size    = (VW / w, VH / h)                from the preview's view, not from P (FZ-B4, FZ-B6)
///     frame   = P s square, centred on the touch and nowhere clamped (FZ-B5)
public struct OriginalPeek: Sendable, Hashable {
  /// Points per picture pixel: s.
  ///
  /// It is zero for an empty viewport and infinite for an empty picture.
  public let fitScale: Double
  /// Half the peek as a fraction of the picture's width, used for both axes: P/(2w).
  public let offset: Double
  /// The crop handed to Core Animation, as fractions of the picture's sides.
  public let contentsRect: UnitRect
  /// The white frame drawn around the touch, in points.
  public let frame: ViewRect
  /// The part that the peek's square shows, in picture pixels: P x P from the crop's origin.
  ///
  /// It may lie outside the picture, in part or wholly.
  public let shownCrop: PictureRect

  /// Creates a peek by the published formulas, in points and picture pixels.
  ///
  /// `peekSide` is the shorter side of the screen, as published. VW x VH is the viewport's size: the preview's
  /// controller reads its view's size in its initialiser, before layout, when a view still fills the screen.
  public init(
    touch: ViewPoint, viewport: ViewSize, pictureWidth: Double, pictureHeight: Double,
    peekSide: Double
  ) {
    let fitScale = min(viewport.width / pictureWidth, viewport.height / pictureHeight)
    let shownWidth = pictureWidth * fitScale
    let shownHeight = pictureHeight * fitScale
    let leftBorder = (viewport.width - shownWidth) / 2
    let topBorder = (viewport.height - shownHeight) / 2
    let frameSide = peekSide * fitScale
    // Multiplying by the scale and dividing by it again gives NaN for a scale of 0 and loses digits
    // for a subnormal one (FZ-B9).
    let offset = (frameSide / shownWidth) / 2
    // Published is `max(min(value, 1), 0)`: the generic functions of the standard library return
    // their first argument if it is NaN (FZ-B7).
    let x = ((touch.x - leftBorder) / shownWidth - offset).clampedAsPublished(0, 1)
    let y = ((touch.y - topBorder) / shownHeight - offset).clampedAsPublished(0, 1)

    self.fitScale = fitScale
    self.offset = offset
    contentsRect = UnitRect(
      x: x, y: y, width: viewport.width / pictureWidth, height: viewport.height / pictureHeight)
    frame = ViewRect(
      x: touch.x - frameSide / 2, y: touch.y - frameSide / 2, width: frameSide, height: frameSide)
    shownCrop = PictureRect(
      x: x * pictureWidth, y: y * pictureHeight, width: peekSide, height: peekSide)
  }
}

extension PeekSetup {
  /// Returns the published peek of the same picture, viewport, side and touch.
  ///
  /// The published formulas know neither `scale` nor `letterbox`.
  public func originalPeek(at touch: ViewPoint) -> OriginalPeek {
    OriginalPeek(
      touch: touch, viewport: viewport, pictureWidth: Double(picture.width),
      pictureHeight: Double(picture.height), peekSide: side)
  }
}
