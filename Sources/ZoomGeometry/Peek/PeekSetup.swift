/// The input of a peek except for the touch: a picture, shown by aspect fit in a viewport, and the
/// side and scale of the square that a peek shows.
///
/// The peek at a touch point is the idea of FlexMonkey/ForceZoom; ``OriginalPeek`` has its formulas
/// as published. This is the corrected form. With k = `scale` and P = `side`:
///
///     s  = min(W / w, H / h)                    points per pixel: aspect fit
///     lb = (W - w s) / 2                        the letterbox's left bar; the top one likewise
///     t  = ((x - lb) / s, (y - tb) / s)         the touch in pixels, clamped to the picture
///     cw = min(k P, w)                          the crop's width; the height likewise
///     ox = clamp(t.x - cw / 2, 0, w - cw)       the crop's origin; y likewise, from h
///
/// A small picture is enlarged to fit, to any scale, as published.
public struct PeekSetup: Sendable, Hashable {
  /// The upright size of the picture in pixels.
  public let picture: PixelSize
  /// The size in points of the view that shows the whole picture.
  public let viewport: ViewSize
  /// The side of the peek's square in points.
  public let side: Double
  /// The number of picture pixels per point of the peek.
  ///
  /// The published scale is 1: each picture pixel covers a point, which is 2x2 or 3x3 screen pixels
  /// (FZ-B10). The screen's scale shows the picture pixel for pixel.
  public let scale: Double
  /// The meaning of a touch beside the shown picture.
  public let letterbox: LetterboxPolicy
  /// The number of points per picture pixel in the viewport: the scale of the aspect fit.
  public let fitScale: Double
  /// The frame of the picture in the viewport, in points.
  ///
  /// It touches two opposite sides of the viewport, or all four, to the last bit, and is centred.
  public let shownFrame: ViewRect
  /// The crop's length in pixels if the picture is long enough; it may overflow to infinity.
  let wantedLength: Double

  /// Creates a setup whose numbers are checked once for all touches.
  ///
  /// The side defaults to the viewport's shorter side.
  ///
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

    // Subnormal numbers lack digits: with the smallest, a fit would be off by whole pixels (FZ-B9).
    wantedLength = self.side * scale
    guard wantedLength.isNormal || wantedLength == .infinity else {
      throw GeometryError(argument: "side * scale", value: wantedLength, reason: .tooSmall)
    }
    let fit = AspectFit(picture: picture, viewport: viewport)
    guard fit.scale.isNormal else {
      throw GeometryError(argument: "viewport / picture", value: fit.scale, reason: .tooSmall)
    }
    // A crop shortened to the picture's side needs no check: it is at least a pixel long, so at least
    // `fit.scale` points on the screen.
    guard wantedLength * fit.scale > 0 else {
      throw GeometryError(argument: "frame", value: wantedLength * fit.scale, reason: .tooSmall)
    }
    fitScale = fit.scale
    shownFrame = fit.frame
  }

  /// Returns the peek for a touch.
  ///
  ///     let forest = try PixelSize(width: 1600, height: 1200)
  ///     let setup = try PeekSetup(picture: forest, viewport: ViewSize(width: 375, height: 667))
  ///     let peek = try setup.peek(at: ViewPoint(x: 187.5, y: 333.5))
  ///     // peek?.region is 375x375+613+413
  ///
  /// - Parameter touch: The touch in points of the viewport; it may be outside.
  /// - Returns: The peek; nil only if `letterbox` is `reject` and `shownFrame` does not contain the
  ///   touch.
  /// - Throws: `GeometryError` if a coordinate is NaN or infinite.
  public func peek(at touch: ViewPoint) throws(GeometryError) -> Peek? {
    let touch = ViewPoint(
      x: try GeometryError.finite(touch.x, "touch.x"),
      y: try GeometryError.finite(touch.y, "touch.y"))
    guard letterbox == .clamp || shownFrame.contains(touch) else { return nil }

    // The quotients may overflow to an infinity, which clamps, but cannot be NaN: the dividends
    // come from finite numbers and the divisor is a normal number.
    let place = picturePoint(at: touch)
    let touched = PicturePoint(
      x: place.x.clamped(to: 0...Double(picture.width)),
      y: place.y.clamped(to: 0...Double(picture.height)))
    let across = PeekAxis(side: picture.width, wanted: wantedLength, touched: touched.x)
    let down = PeekAxis(side: picture.height, wanted: wantedLength, touched: touched.y)
    let (left, width) = onScreen(across, from: shownFrame.x, length: shownFrame.width)
    let (top, height) = onScreen(down, from: shownFrame.y, length: shownFrame.height)
    let (unitX, unitWidth) = normalised(across, side: picture.width)
    let (unitY, unitHeight) = normalised(down, side: picture.height)
    return Peek(
      touched: touched,
      exact: PictureRect(
        x: across.origin, y: down.origin, width: across.length, height: down.length),
      region: PixelRegion(
        uncheckedX: across.regionOrigin, y: down.regionOrigin,
        width: across.regionLength, height: down.regionLength),
      frame: ViewRect(x: left, y: top, width: width, height: height),
      contentsRect: UnitRect(x: unitX, y: unitY, width: unitWidth, height: unitHeight),
      size: ViewSize(width: peekLength(across), height: peekLength(down)))
  }

  /// Returns the picture point, possibly outside the picture, at a point of the viewport.
  func picturePoint(at point: ViewPoint) -> PicturePoint {
    PicturePoint(x: (point.x - shownFrame.x) / fitScale, y: (point.y - shownFrame.y) / fitScale)
  }

  func viewPoint(of place: PicturePoint) -> ViewPoint {
    ViewPoint(x: shownFrame.x + place.x * fitScale, y: shownFrame.y + place.y * fitScale)
  }

  /// Returns the exact crop's position on the screen, on one axis of the shown frame.
  private func onScreen(
    _ axis: PeekAxis, from start: Double, length shown: Double
  ) -> (start: Double, length: Double) {
    // Each `min` corrects a product that is rounded up, or that overflows to infinity.
    let length = min(axis.length * fitScale, shown)
    return (start + min(axis.origin * fitScale, shown - length), length)
  }

  /// Returns the exact crop as a fraction of the picture's side.
  private func normalised(_ axis: PeekAxis, side: Int) -> (start: Double, length: Double) {
    // Two rounded quotients can add up to the number after 1.
    let length = axis.length / Double(side)
    return (min(axis.origin / Double(side), 1 - length), length)
  }

  private func peekLength(_ axis: PeekAxis) -> Double {
    // `length / scale` could differ by a rounding from the requested side.
    axis.length < wantedLength ? min(axis.length / scale, side) : side
  }
}

/// The meaning of a touch beside the shown picture, in the bars that aspect fit leaves: the letterbox.
///
/// FlexMonkey/ForceZoom does not check it: in the lower bar it shows a crop that is wholly outside the picture (FZ-B3).
public enum LetterboxPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// The touch counts as one at the nearest point of the picture.
  case clamp
  /// The touch shows nothing. The picture's border still counts as picture.
  case reject
}

/// The crop that a peek shows for one touch, as an exact and as an integer rectangle, and its frame on the screen.
///
/// ``PeekSetup/peek(at:)`` creates it. All numbers are finite, all sizes are positive, and every
/// rectangle is inside the picture, the shown frame or the unit square.
public struct Peek: Sendable, Hashable {
  /// The touched point of the picture; for a touch beside the picture, the nearest one.
  public let touched: PicturePoint
  /// The crop before rounding, in picture pixels.
  ///
  /// It is `side * scale` pixels long on each axis, or the picture's whole side if that is shorter;
  /// centred on the touch, or as near to that as the picture's borders allow.
  public let exact: PictureRect
  /// The crop to decode, in whole picture pixels.
  ///
  /// The lengths of `exact` are rounded to the nearest, at least 1; its origin is rounded to the nearest, halves up,
  /// and kept inside the picture. On an axis on which the crop is one pixel long, its origin is the touched pixel. It
  /// always contains the touched pixel.
  public let region: PixelRegion
  /// The exact crop's outline on the screen, in points of the viewport.
  ///
  /// It is the image of `exact` under the aspect fit, inside the shown picture; the published frame is not (FZ-B5).
  public let frame: ViewRect
  /// The exact crop as fractions of the picture's sides; inside the unit square.
  public let contentsRect: UnitRect
  /// The size of the peek in points: `exact` at `scale` pixels per point.
  ///
  /// It is `side` on each axis on which the picture is long enough.
  public let size: ViewSize
}

/// One axis of a peek, in picture pixels: the length of the crop and its beginning.
///
/// Each axis is calculated without the other: the published formula places the crop vertically with
/// an offset computed from the width (FZ-B1).
struct PeekAxis {
  /// The exact crop's length, 0 < length <= the picture's side.
  let length: Double
  /// The exact crop's beginning, 0 <= origin, origin + length <= the picture's side.
  let origin: Double
  /// The integer crop's length, from 1 to the picture's side.
  let regionLength: Int
  /// The integer crop's beginning; it ends inside the picture too.
  let regionOrigin: Int

  /// Creates a crop of a wanted length, possibly infinite, about a touched coordinate.
  init(side: Int, wanted: Double, touched: Double) {
    let end = Double(side)
    let length = wanted < end ? wanted : end
    self.length = length
    // The rounded sum `origin + length` does not exceed `end`: it is off by at most half a unit in
    // the last place of `end`, and a tie rounds to even, which is `end`, an integer below 2^31.
    origin = (touched - length / 2).clamped(to: 0...(end - length))

    // A crop of less than half a pixel still shows one pixel.
    let whole = length.rounded(.toNearestOrAwayFromZero)
    let regionLength = whole < 1 ? 1 : whole
    self.regionLength = Int(regionLength)
    // A crop of one pixel shows the touched pixel. For a length of 0.6 or 1.4 pixels the rounded
    // origin could be the pixel beside it.
    let nearest = regionLength == 1 ? touched.rounded(.down) : Self.roundedHalfUp(origin)
    // `end - regionLength` is a whole number, so that rounding cannot leave the picture.
    regionOrigin = Int(nearest.clamped(to: 0...(end - regionLength)))
  }

  /// Returns the nearest whole number; halves are rounded up.
  ///
  /// Not `(value + 0.5).rounded(.down)`: for the number just below one half that sum rounds to 1.
  private static func roundedHalfUp(_ value: Double) -> Double {
    let floor = value.rounded(.down)
    return value - floor < 0.5 ? floor : floor + 1
  }
}
