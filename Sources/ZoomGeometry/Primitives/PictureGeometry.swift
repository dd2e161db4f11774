// Points and rectangles of an upright picture in real numbers. The origin is the top left corner of
// the first pixel and y grows downwards, so pixel i covers i ... i + 1. Nothing is validated,
// because the published formulas can yield NaN.

/// A point in a picture, in pixels and fractions of pixels.
public struct PicturePoint: Sendable, Hashable, Codable {
  /// The distance in pixels from the picture's left or top edge.
  public var x, y: Double

  /// Creates a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A rectangle in a picture, in pixels and fractions of pixels.
public struct PictureRect: Sendable, Hashable, Codable {
  /// The left edge, the top edge, the width and the height in pixels.
  public var x, y, width, height: Double

  /// Creates a rectangle from its top left corner and its size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  init(_ region: PixelRegion) {
    self.init(
      x: Double(region.x), y: Double(region.y), width: Double(region.width),
      height: Double(region.height))
  }

  /// The right edge in pixels.
  public var maxX: Double { x + width }

  /// The bottom edge in pixels.
  public var maxY: Double { y + height }

  package var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }
}

/// A rectangle in fractions of a picture's sides, as in Core Animation's `contentsRect`.
///
/// The whole picture is (0, 0, 1, 1). Core Animation smears the picture's edge pixels over anything
/// outside, and an empty rectangle is undefined.
public struct UnitRect: Sendable, Hashable, Codable {
  /// The left edge, the top edge, the width and the height as fractions of the picture's sides.
  public var x, y, width, height: Double

  /// Creates a rectangle from its top left corner and its size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}
