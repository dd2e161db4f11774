// Real-valued places in an upright picture: pixels, y down, the origin in the top left corner of
// the first pixel, so that pixel i covers i ... i + 1. Nothing here is validated, for the published
// formulas, which are kept, put NaN into it.

/// A place in a picture, in pixels and fractions of pixels.
public struct PicturePoint: Sendable, Hashable, Codable {
  /// Pixels from the picture's left edge.
  public var x: Double

  /// Pixels from the picture's top edge.
  public var y: Double

  /// Creates a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A rectangle in a picture, in pixels and fractions of pixels.
public struct PictureRect: Sendable, Hashable, Codable {
  /// The left edge in pixels.
  public var x: Double

  /// The top edge in pixels.
  public var y: Double

  /// The width in pixels.
  public var width: Double

  /// The height in pixels.
  public var height: Double

  /// Creates a rectangle from its top left corner and its size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The same rectangle in floating point.
  init(_ region: PixelRegion) {
    self.init(
      x: Double(region.x), y: Double(region.y), width: Double(region.width),
      height: Double(region.height))
  }

  /// The right edge in pixels.
  public var maxX: Double { x + width }

  /// The bottom edge in pixels.
  public var maxY: Double { y + height }
}
