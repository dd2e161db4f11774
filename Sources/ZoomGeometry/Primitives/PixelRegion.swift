/// An integer rectangle in the pixels of an upright picture: what a region source is asked for.
///
/// It covers the columns x ..< maxX and the rows y ..< maxY and is never empty. It may reach out of
/// a picture, which only `isInside(_:)` can tell; geometry's own regions never do.
public struct PixelRegion: Sendable, Hashable {
  /// The first column, at most `PixelSize.maximumSide` in magnitude.
  public let x: Int

  /// The first row, at most `PixelSize.maximumSide` in magnitude.
  public let y: Int

  /// The number of columns, 1 to `PixelSize.maximumSide`.
  public let width: Int

  /// The number of rows, 1 to `PixelSize.maximumSide`.
  public let height: Int

  /// Creates a region.
  ///
  /// - Parameters:
  ///   - x: The first column.
  ///   - y: The first row.
  ///   - width: The number of columns.
  ///   - height: The number of rows.
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

  /// The bounds of something that is known to fit: a part of a checked region or picture.
  init(uncheckedX x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The column after the last one.
  public var maxX: Int { x + width }

  /// The row after the last one.
  public var maxY: Int { y + height }

  /// The number of columns and rows.
  public var size: PixelSize { PixelSize(uncheckedWidth: width, height: height) }

  /// The number of pixels.
  public var area: Int { width * height }

  /// Tells whether every pixel of the region is a pixel of a picture of this size.
  public func isInside(_ size: PixelSize) -> Bool {
    x >= 0 && y >= 0 && maxX <= size.width && maxY <= size.height
  }

  /// Tells whether the pixel in this column and row belongs to the region.
  public func contains(x column: Int, y row: Int) -> Bool {
    column >= x && column < maxX && row >= y && row < maxY
  }

  /// Returns the region of the pixels that belong to both, or nil if there are none.
  public func intersection(_ other: PixelRegion) -> PixelRegion? {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard left < right, top < bottom else { return nil }
    return PixelRegion(uncheckedX: left, y: top, width: right - left, height: bottom - top)
  }
}

extension PixelRegion: CustomStringConvertible {
  /// The region in the notation of ImageMagick and X11, size before origin: "375x375+612+413".
  public var description: String {
    "\(width)x\(height)\(x < 0 ? "" : "+")\(x)\(y < 0 ? "" : "+")\(y)"
  }
}

extension PixelRegion: Codable {
  private enum CodingKeys: String, CodingKey {
    case x, y, width, height
  }

  /// Decodes a region and checks it as the initialiser does.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if a number is out of bounds. Stored regions are input
  ///   like any other.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let x = try values.decode(Int.self, forKey: .x)
    let y = try values.decode(Int.self, forKey: .y)
    let width = try values.decode(Int.self, forKey: .width)
    let height = try values.decode(Int.self, forKey: .height)
    self = try decoder.checked { () throws(GeometryError) in
      try PixelRegion(x: x, y: y, width: width, height: height)
    }
  }
}
