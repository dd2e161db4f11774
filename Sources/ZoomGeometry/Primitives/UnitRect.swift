/// A rectangle as fractions of a picture's sides, the form of Core Animation's contentsRect.
///
/// The whole picture is (0, 0, 1, 1). Core Animation smears the picture's edge pixels over whatever
/// lies outside, and leaves an empty rectangle undefined. Nothing here is validated, for the
/// published formulas, which are kept, leave the unit square and put NaN into it.
public struct UnitRect: Sendable, Hashable, Codable {
  /// The left edge as a fraction of the picture's width.
  public var x: Double

  /// The top edge as a fraction of the picture's height.
  public var y: Double

  /// The width as a fraction of the picture's width.
  public var width: Double

  /// The height as a fraction of the picture's height.
  public var height: Double

  /// Creates a rectangle from its top left corner and its size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The right edge as a fraction of the picture's width.
  public var maxX: Double { x + width }

  /// The bottom edge as a fraction of the picture's height.
  public var maxY: Double { y + height }
}
