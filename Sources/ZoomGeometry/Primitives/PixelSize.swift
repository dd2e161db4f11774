/// The size of a picture or of an output in whole pixels: at least 1x1.
///
/// Sides end at `Int32.max`, the largest that libvips and most decoders can say. Hence an area fits
/// a 64-bit `Int`, a side converts to `Int32` without a trap and to `Double` without a loss.
public struct PixelSize: Sendable, Hashable {
  /// The largest side: 2147483647 pixels.
  public static let maximumSide = Int(Int32.max)

  /// The width in pixels, 1 to `maximumSide`.
  public let width: Int

  /// The height in pixels, 1 to `maximumSide`.
  public let height: Int

  /// Creates a size.
  ///
  /// - Parameters:
  ///   - width: The width in pixels, 1 to `maximumSide`.
  ///   - height: The height in pixels, 1 to `maximumSide`.
  /// - Throws: `GeometryError` if a side is zero, negative or larger than `maximumSide`.
  public init(width: Int, height: Int) throws(GeometryError) {
    self.width = try GeometryError.side(width, "width")
    self.height = try GeometryError.side(height, "height")
  }

  /// The sides of something that is known to fit: a part or a turn of a checked size.
  init(uncheckedWidth width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The number of pixels.
  public var area: Int { width * height }

  /// The size with width and height swapped, as after a quarter turn.
  public var transposed: PixelSize { PixelSize(uncheckedWidth: height, height: width) }
}

extension PixelSize: CustomStringConvertible {
  /// The size in the notation of ImageMagick and X11: "1600x1200".
  public var description: String { "\(width)x\(height)" }
}

extension PixelSize: Codable {
  private enum CodingKeys: String, CodingKey {
    case width, height
  }

  /// Decodes a size and checks it as the initialiser does.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if a side is out of bounds. Stored sizes are input
  ///   like any other.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let width = try values.decode(Int.self, forKey: .width)
    let height = try values.decode(Int.self, forKey: .height)
    self = try decoder.checked { () throws(GeometryError) in
      try PixelSize(width: width, height: height)
    }
  }
}
