/// All that a peek depends on besides the touch: a picture, shown by aspect fit in a viewport, and
/// how large a square of it a peek shows, at how many pixels a point.
///
/// The peek at a touch point is the idea of FlexMonkey/ForceZoom; ``OriginalPeek`` has its formulas
/// as published. This is the corrected form. With k = `scale` and P = `side`:
///
///     s  = min(W / w, H / h)                    points a pixel: aspect fit
///     lb = (W - w s) / 2                        the letterbox's left bar; the top one likewise
///     t  = ((x - lb) / s, (y - tb) / s)         the touch in pixels, clamped to the picture
///     cw = min(k P, w)                          the crop's width; the height likewise
///     ox = clamp(t.x - cw / 2, 0, w - cw)       the crop's origin; y likewise, from h
///
/// A small picture is enlarged to fit, and has no upper limit to its scale, as published.
public struct PeekSetup: Sendable, Hashable {
  /// The upright size of the picture in pixels.
  public let picture: PixelSize

  /// The size in points of the view that shows the whole picture.
  public let viewport: ViewSize

  /// The side of the peek's square in points.
  public let side: Double

  /// Picture pixels a point of the peek.
  ///
  /// 1 is as published, where each pixel covers a whole point, that is 2x2 or 3x3 pixels of the
  /// screen (FZ-B10); the screen's own scale shows the picture pixel for pixel.
  public let scale: Double

  /// What a touch beside the shown picture means.
  public let letterbox: LetterboxPolicy

  /// Points a picture pixel in the viewport: the aspect-fit scale.
  public let fitScale: Double

  /// Where the viewport shows the picture, in points.
  ///
  /// It touches two opposite sides of the viewport, or all four, to the last bit, and is centred.
  public let shownFrame: ViewRect

  /// The crop's length in pixels if the picture is long enough; may overflow to infinity.
  let wantedLength: Double

  /// Checks the numbers once for all touches.
  ///
  /// - Parameters:
  ///   - picture: The upright size of the picture in pixels.
  ///   - viewport: The size in points of the view that shows the whole picture.
  ///   - side: The side of the peek's square in points; without it the viewport's shorter side.
  ///   - scale: Picture pixels a point of the peek.
  ///   - letterbox: What a touch beside the shown picture means.
  /// - Throws: `GeometryError` if a number is not finite or not positive, or if positive numbers
  ///   are so small that the fit, the crop or its frame would underflow.
  public init(
    picture: PixelSize, viewport: ViewSize, side: Double? = nil, scale: Double = 1,
    letterbox: LetterboxPolicy = .clamp
  ) throws(GeometryError) {
    let width = try GeometryError.positive(viewport.width, "viewport.width")
    let height = try GeometryError.positive(viewport.height, "viewport.height")
    self.picture = picture
    self.viewport = viewport
    self.side = try GeometryError.positive(side ?? min(width, height), "side")
    self.scale = try GeometryError.positive(scale, "scale")
    self.letterbox = letterbox

    // Subnormal numbers have lost digits: at their end a fit would be off by whole pixels (FZ-B9).
    wantedLength = self.side * scale
    guard wantedLength.isNormal || wantedLength == .infinity else {
      throw GeometryError(argument: "side * scale", value: wantedLength, reason: .tooSmall)
    }
    let fit = AspectFit(picture: picture, viewport: viewport)
    guard fit.scale.isNormal else {
      throw GeometryError(argument: "viewport / picture", value: fit.scale, reason: .tooSmall)
    }
    // A length the picture shortens is at least one pixel, hence at least `fit.scale` on screen.
    guard wantedLength * fit.scale > 0 else {
      throw GeometryError(argument: "frame", value: wantedLength * fit.scale, reason: .tooSmall)
    }
    fitScale = fit.scale
    shownFrame = fit.frame
  }
}
