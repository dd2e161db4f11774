// Points, sizes and rectangles of the screen, in points. The origin is the viewport's top left
// corner and y grows downwards. Nothing is validated, because the published formulas can yield NaN.

/// A point on the screen.
public struct ViewPoint: Sendable, Hashable, Codable {
  /// The distance in points from the viewport's left or top edge.
  public var x, y: Double

  /// Creates a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  package static func - (one: ViewPoint, other: ViewPoint) -> ViewPoint {
    ViewPoint(x: one.x - other.x, y: one.y - other.y)
  }

  package static func + (one: ViewPoint, other: ViewPoint) -> ViewPoint {
    ViewPoint(x: one.x + other.x, y: one.y + other.y)
  }

  /// The distance from the origin.
  ///
  /// Squares overflow to infinity beyond 1e154 and underflow to zero below 1e-162. Checked numbers
  /// are far below 1e154, and a distance below 1e-162 counts as 0.
  package var length: Double { (x * x + y * y).squareRoot() }

  package func distance(to other: ViewPoint) -> Double { (self - other).length }
}

/// A size on the screen in points.
public struct ViewSize: Sendable, Hashable, Codable {
  /// The side in points.
  public var width, height: Double

  /// Creates a size.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// Returns the size after a turn.
  public func turned(by turn: QuarterTurn) -> ViewSize {
    turn.swapsAxes ? ViewSize(width: height, height: width) : self
  }

  package var atOrigin: ViewRect { ViewRect(x: 0, y: 0, width: width, height: height) }
}

/// A rectangle on the screen in points.
public struct ViewRect: Sendable, Hashable, Codable {
  /// The left edge, the top edge, the width and the height in points.
  public var x, y, width, height: Double

  /// Creates a rectangle from its top left corner and its size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  var size: ViewSize { ViewSize(width: width, height: height) }

  var origin: ViewPoint { ViewPoint(x: x, y: y) }

  package var centre: ViewPoint { ViewPoint(x: x + width / 2, y: y + height / 2) }

  /// Returns a rectangle of another size with the same centre; exactly this one for this size.
  func centred(_ width: Double, _ height: Double) -> ViewRect {
    ViewRect(
      x: x + (self.width - width) / 2, y: y + (self.height - height) / 2, width: width,
      height: height)
  }

  func moved(by way: ViewPoint) -> ViewRect {
    ViewRect(x: x + way.x, y: y + way.y, width: width, height: height)
  }

  /// The right edge in points.
  public var maxX: Double { x + width }

  /// The bottom edge in points.
  public var maxY: Double { y + height }

  /// Returns whether a point lies in the rectangle or on its border; false if a number is NaN.
  public func contains(_ point: ViewPoint) -> Bool {
    point.x >= x && point.x <= maxX && point.y >= y && point.y <= maxY
  }

  package var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }
}

/// Returns the largest distance between corresponding edges of two rectangles; infinite for NaN.
package func distance(_ one: ViewRect, _ other: ViewRect) -> Double {
  let differences = [
    one.x - other.x, one.y - other.y, one.maxX - other.maxX, one.maxY - other.maxY,
  ].map(abs)
  // `max` would drop NaN.
  return differences.contains(where: \.isNaN) ? .infinity : differences.max() ?? 0
}

/// Returns the largest coordinate of a rectangle in magnitude, at least 1, as a scale for rounding.
package func magnitude(_ rect: ViewRect) -> Double {
  [1, abs(rect.x), abs(rect.y), abs(rect.maxX), abs(rect.maxY)].max() ?? 1
}

/// The largest centred rectangle of the viewport that has the picture's aspect ratio.
struct AspectFit {
  /// The length of a picture pixel in points.
  let scale: Double
  let frame: ViewRect

  init(picture: PixelSize, viewport: ViewSize) {
    let across = viewport.width / Double(picture.width)
    let down = viewport.height / Double(picture.height)
    let scale = min(across, down)
    // The side that limits the scale is filled exactly. Multiplying back could be off by a
    // rounding, and would overflow for the largest viewports.
    let width = scale == across ? viewport.width : Double(picture.width) * scale
    let height = scale == down ? viewport.height : Double(picture.height) * scale
    self.scale = scale
    // The other side is at most the viewport's, but the product can round above that.
    frame = viewport.atOrigin.centred(min(width, viewport.width), min(height, viewport.height))
  }
}
