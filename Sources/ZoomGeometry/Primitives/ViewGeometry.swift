// The screen's side of a peek: points, y down, the origin in the viewport's top left corner.
// Nothing here is validated, for the published formulas, which are kept, put NaN into it.

/// A place on the screen in points.
public struct ViewPoint: Sendable, Hashable, Codable {
  /// Points from the viewport's left edge.
  public var x: Double

  /// Points from the viewport's top edge.
  public var y: Double

  /// Creates a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The way from another point to this one.
  package static func - (one: ViewPoint, other: ViewPoint) -> ViewPoint {
    ViewPoint(x: one.x - other.x, y: one.y - other.y)
  }

  package static func + (one: ViewPoint, other: ViewPoint) -> ViewPoint {
    ViewPoint(x: one.x + other.x, y: one.y + other.y)
  }

  /// Its distance from the origin.
  ///
  /// Squares overflow beyond 1e154, which ends as an infinity, and below 1e-154 as zero; numbers at
  /// the public boundary are far smaller, and tiny ways count as none.
  package var length: Double { (x * x + y * y).squareRoot() }

  /// How far another point is away.
  package func distance(to other: ViewPoint) -> Double { (self - other).length }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case x, y
  }

  /// Decodes a point; a key that it does not have is an error.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
    x = try values.decode(Double.self, forKey: .x)
    y = try values.decode(Double.self, forKey: .y)
  }
}

/// A size on the screen in points.
public struct ViewSize: Sendable, Hashable, Codable {
  /// The width in points.
  public var width: Double

  /// The height in points.
  public var height: Double

  /// Creates a size.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case width, height
  }

  /// Decodes a size; a key that it does not have is an error.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
    width = try values.decode(Double.self, forKey: .width)
    height = try values.decode(Double.self, forKey: .height)
  }

  /// The rectangle of this size in the corner.
  package var atOrigin: ViewRect { ViewRect(x: 0, y: 0, width: width, height: height) }
}

/// A rectangle on the screen in points.
public struct ViewRect: Sendable, Hashable, Codable {
  /// The left edge in points.
  public var x: Double

  /// The top edge in points.
  public var y: Double

  /// The width in points.
  public var width: Double

  /// The height in points.
  public var height: Double

  /// Creates a rectangle from its top left corner and its size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case x, y, width, height
  }

  /// Decodes a rectangle; a key that it does not have is an error.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
    x = try values.decode(Double.self, forKey: .x)
    y = try values.decode(Double.self, forKey: .y)
    width = try values.decode(Double.self, forKey: .width)
    height = try values.decode(Double.self, forKey: .height)
  }

  /// The width and the height.
  var size: ViewSize { ViewSize(width: width, height: height) }

  /// The top left corner.
  var origin: ViewPoint { ViewPoint(x: x, y: y) }

  /// The middle of the rectangle.
  package var centre: ViewPoint { ViewPoint(x: x + width / 2, y: y + height / 2) }

  /// The rectangle of a size with the same middle; of the same size it is this one to the last bit.
  func centred(_ width: Double, _ height: Double) -> ViewRect {
    ViewRect(
      x: x + (self.width - width) / 2, y: y + (self.height - height) / 2, width: width,
      height: height)
  }

  /// The same rectangle somewhere else.
  func moved(by way: ViewPoint) -> ViewRect {
    ViewRect(x: x + way.x, y: y + way.y, width: width, height: height)
  }

  /// The right edge in points.
  public var maxX: Double { x + width }

  /// The bottom edge in points.
  public var maxY: Double { y + height }

  /// Tells whether the point lies in the rectangle or on its border; false if a number is NaN.
  public func contains(_ point: ViewPoint) -> Bool {
    point.x >= x && point.x <= maxX && point.y >= y && point.y <= maxY
  }
}
