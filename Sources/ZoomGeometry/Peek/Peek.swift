/// What a peek shows for one touch: the crop, as an exact and as an integer rectangle, and where
/// things are on the screen.
///
/// Made by ``PeekSetup/peek(at:)``. All numbers are finite, all sizes are positive, all rectangles
/// lie inside what they are parts of.
public struct Peek: Sendable, Hashable {
  /// The touched place of the picture.
  ///
  /// A touch beside the picture counts as the nearest place.
  public let touched: PicturePoint

  /// The crop before rounding, in picture pixels.
  ///
  /// It is `side * scale` pixels long on each axis, or the picture's whole side if that is shorter;
  /// centred on the touch, or as near to that as the picture's borders allow.
  public let exact: PictureRect

  /// The crop to decode, in whole picture pixels.
  ///
  /// The lengths of `exact` are rounded to the nearest, at least 1; its origin is rounded to the
  /// nearest, halves up, and kept inside the picture. So it begins within half a pixel of `exact`,
  /// and always holds the touched pixel. A crop that is a single pixel long is the touched pixel,
  /// which begins less than one pixel from `exact`.
  public let region: PixelRegion

  /// The exact crop's outline on the screen, in points of the viewport.
  ///
  /// It is the image of `exact` under the aspect fit, hence inside the shown picture, and it shows
  /// what the peek will show. The published frame is neither (FZ-B5).
  public let frame: ViewRect

  /// The exact crop as fractions of the picture's sides; inside the unit square.
  public let contentsRect: UnitRect

  /// The size of the peek in points: `exact` at `scale` pixels a point.
  ///
  /// It is `side` on each axis on which the picture is long enough.
  public let size: ViewSize
}
