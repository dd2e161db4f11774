/// The size of a picture or of an output in whole pixels: at least 1x1.
///
/// A side is at most `Int32.max`, the limit of libvips and most decoders. So an area fits a 64-bit
/// `Int`, and a side converts to `Int32` without a trap and to `Double` without a loss.
public struct PixelSize: Sendable, Hashable {
  /// The largest side: 2147483647 pixels.
  public static let maximumSide = Int(Int32.max)
  /// The side in pixels, 1 to `maximumSide`.
  public let width, height: Int

  /// Creates a size.
  ///
  /// - Throws: `GeometryError` if a side is zero, negative or larger than `maximumSide`.
  public init(width: Int, height: Int) throws(GeometryError) {
    self.width = try GeometryError.side(width, "width")
    self.height = try GeometryError.side(height, "height")
  }

  /// Creates a size that is known to be valid: a part or a turn of a checked size.
  init(uncheckedWidth width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The number of pixels.
  public var area: Int { width * height }

  /// The size with width and height swapped, as after a quarter turn.
  public var transposed: PixelSize { PixelSize(uncheckedWidth: height, height: width) }

  /// Returns the size after a turn.
  public func turned(by turn: QuarterTurn) -> PixelSize { turn.swapsAxes ? transposed : self }
}

extension PixelSize: CustomStringConvertible {
  /// The size in the notation of ImageMagick and X11: "1600x1200".
  public var description: String { "\(width)x\(height)" }
}

extension PixelSize: Codable {
  /// Decodes a size and checks it as the initialiser does.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self = try decoder.checked {
      try PixelSize(
        width: values.decode(Int.self, forKey: .width),
        height: values.decode(Int.self, forKey: .height))
    }
  }
}

/// The column and row of one pixel, counted from the top left corner and from zero.
///
/// It is not checked, because only a picture determines whether a pixel is inside.
public struct PixelPoint: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The column and the row.
  public var x, y: Int

  /// Creates a point from a column and a row.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// The column and the row: "(612, 413)".
  public var description: String { "(\(x), \(y))" }
}

/// A rectangle of whole pixels, usually of an upright picture; the request to a region source.
///
/// It covers the columns x ..< maxX and the rows y ..< maxY and is never empty. It may extend
/// beyond a picture, see `isInside(_:)`; the regions that geometry returns never do.
public struct PixelRegion: Sendable, Hashable {
  /// The first column or row, at most `PixelSize.maximumSide` in magnitude.
  public let x, y: Int
  /// The number of columns or rows, 1 to `PixelSize.maximumSide`.
  public let width, height: Int

  /// Creates a region.
  ///
  /// - Throws: `GeometryError` if a side is zero, negative or larger than `PixelSize.maximumSide`,
  ///   or if a coordinate is larger than that in magnitude.
  public init(x: Int, y: Int, width: Int, height: Int) throws(GeometryError) {
    self.x = try GeometryError.coordinate(x, "x")
    self.y = try GeometryError.coordinate(y, "y")
    self.width = try GeometryError.side(width, "width")
    self.height = try GeometryError.side(height, "height")
  }

  /// Creates the region that covers a whole picture.
  public init(whole size: PixelSize) {
    self.init(uncheckedX: 0, y: 0, width: size.width, height: size.height)
  }

  /// Creates a region that is known to be valid: a part of a checked region or picture.
  package init(uncheckedX x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// The column after the last one.
  public var maxX: Int { x + width }

  /// The row after the last one.
  public var maxY: Int { y + height }

  /// The number of columns and rows.
  public var size: PixelSize { PixelSize(uncheckedWidth: width, height: height) }

  /// The number of pixels.
  public var area: Int { width * height }

  /// Returns whether every pixel of the region is a pixel of a picture of this size.
  public func isInside(_ size: PixelSize) -> Bool {
    x >= 0 && y >= 0 && maxX <= size.width && maxY <= size.height
  }

  /// Returns whether the region includes a pixel.
  public func contains(x column: Int, y row: Int) -> Bool {
    column >= x && column < maxX && row >= y && row < maxY
  }

  /// Returns the pixels that both regions include, or nil if there are none.
  public func intersection(_ other: PixelRegion) -> PixelRegion? {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard left < right, top < bottom else { return nil }
    return PixelRegion(uncheckedX: left, y: top, width: right - left, height: bottom - top)
  }
}

extension PixelRegion {
  /// Returns the part of the region in a range of its rows, at least one.
  package func rows(_ rows: Range<Int>) -> PixelRegion {
    precondition(
      !rows.isEmpty && rows.lowerBound >= y && rows.upperBound <= maxY,
      "rows \(rows) are not rows of \(self)")
    return PixelRegion(uncheckedX: x, y: rows.lowerBound, width: width, height: rows.count)
  }

  /// Returns the region in coordinates whose origin is a picture pixel not right of or below the region's first pixel.
  package func relative(to origin: (x: Int, y: Int)) -> PixelRegion {
    precondition(
      (0...x).contains(origin.x) && (0...y).contains(origin.y),
      "\(origin) is outside the picture, or right of or below the first pixel of \(self)")
    return PixelRegion(uncheckedX: x - origin.x, y: y - origin.y, width: width, height: height)
  }

  /// Returns the smallest region of blocks of `factor` x `factor` pixels that holds the region.
  ///
  /// Blocks are counted from the picture's top left corner.
  package func reduced(by factor: Int) -> PixelRegion {
    precondition(factor >= 1 && x >= 0 && y >= 0, "\(self) cannot be reduced by \(factor)")
    let (left, top) = (x / factor, y / factor)
    return PixelRegion(
      uncheckedX: left, y: top, width: (maxX + factor - 1) / factor - left,
      height: (maxY + factor - 1) / factor - top)
  }
}

extension PixelRegion: CustomStringConvertible {
  /// The region in the notation of ImageMagick and X11, size before origin: "375x375+612+413".
  public var description: String {
    "\(width)x\(height)\(x < 0 ? "" : "+")\(x)\(y < 0 ? "" : "+")\(y)"
  }
}

extension PixelRegion: Codable {
  /// Decodes a region and checks it as the initialiser does.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self = try decoder.checked {
      try PixelRegion(
        x: values.decode(Int.self, forKey: .x), y: values.decode(Int.self, forKey: .y),
        width: values.decode(Int.self, forKey: .width),
        height: values.decode(Int.self, forKey: .height))
    }
  }
}
