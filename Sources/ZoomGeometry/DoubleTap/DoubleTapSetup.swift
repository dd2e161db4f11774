/// A picture in a scroll view that shows it whole, and larger at a double tap.
///
/// The idea is fanyinan's ZoomImageScrollViewDemo; ``OriginalDoubleTap`` has its formulas as
/// published. This is the corrected form. With the scroll view's size B, the picture's size i, the
/// factor R and the largest zoom Zmax, on each axis:
///
///     z    = min(1, Bw / iw, Bh / ih)               fits, and never enlarges
///     z'   = R z, clamped to z ... Zmax
///     o'   = max(0, (B - z' i) / 2)                 centres what is smaller
///     off' = z' p - B / 2, clamped to 0 ... max(0, z' i - B)
///
/// for a tap at the image point p. Zoom, origin and offset are calculated together: nothing is aimed
/// with an origin that is about to change, which is what the published correction makes up for.
public struct DoubleTapSetup: Sendable, Hashable {
  /// The picture's unscaled size in points.
  public let image: ViewSize

  /// The scroll view's size in points.
  public let bounds: ViewSize

  /// How much larger a double tap shows the picture.
  public let factor: Double

  /// The largest zoom, in screen points an image point.
  public let maximumZoom: Double

  /// The zoom that shows the whole picture, in screen points an image point; at most 1.
  public let fitScale: Double

  /// How far from `fitScale` a zoom may be, as a part of it, and still be the fit.
  ///
  /// A thousandth is less than a point on a screen of a thousand points, and much more than what
  /// rounding and animations leave behind. Comparing exactly, a zoom off by the last bit makes the
  /// next double tap zoom out of the whole picture, where nothing is left to zoom out of (DT-B3).
  public static let tolerance = 0.001

  /// Checks the numbers once for all taps.
  ///
  /// - Parameters:
  ///   - image: The picture's unscaled size in points: of a @2x picture half of its pixels (DT-B8).
  ///   - bounds: The scroll view's size in its own points, which a transform does not change. UIKit's
  ///     `bounds`, not its `frame`, which is what the transform makes of it (DT-B7).
  ///   - factor: How much larger a double tap shows the picture, at least 1. Twice, as published,
  ///     says nothing about 1:1 (DT-B6), which is reached by the factor 1 / `fitScale`.
  ///   - maximumZoom: The largest zoom, at least 1.
  /// - Throws: `GeometryError` if a number is not finite, if a length cannot be calculated with, or
  ///   if `factor` or `maximumZoom` is below 1.
  public init(
    image: ViewSize, bounds: ViewSize, factor: Double = 2, maximumZoom: Double = 3
  ) throws(GeometryError) {
    self.image = try GeometryError.size(image, "image")
    self.bounds = try GeometryError.size(bounds, "bounds")
    self.factor = try Self.enlargement(factor, "factor")
    self.maximumZoom = try Self.enlargement(maximumZoom, "maximumZoom")
    fitScale = min(1, bounds.width / image.width, bounds.height / image.height)
  }

  /// Takes the picture's size from its pixels.
  ///
  /// - Parameters:
  ///   - picture: The upright size in pixels.
  ///   - scale: The picture's pixels a point: 2 for a @2x picture.
  ///   - bounds: The scroll view's size in points.
  /// - Throws: `GeometryError` as ``init(image:bounds:factor:maximumZoom:)``.
  public init(picture: PixelSize, scale: Double = 1, bounds: ViewSize) throws(GeometryError) {
    let scale = try GeometryError.length(scale, "scale")
    try self.init(
      image: ViewSize(width: Double(picture.width) / scale, height: Double(picture.height) / scale),
      bounds: bounds)
  }

  /// Returns `value`, which does not make anything smaller.
  private static func enlargement(
    _ value: Double, _ argument: String
  ) throws(GeometryError) -> Double {
    guard try GeometryError.length(value, argument) >= 1 else {
      throw GeometryError(argument: argument, value: value, reason: .contradiction("is below 1"))
    }
    return value
  }

  /// The two axes at a zoom.
  func axes(_ zoom: Double) -> ScrollAxes { ScrollAxes(image: image, bounds: bounds, zoom: zoom) }
}
