/// What is drawn on: a viewport in points, and how many pixels of the screen make a point.
public struct Screen: Sendable, Hashable, Codable {
  /// The viewport's size in points.
  public let size: ViewSize

  /// Screen pixels a point: 1, 2, 3, or between on scaled screens.
  public let scale: Double

  /// The viewport's size in screen pixels, each side rounded to the nearest and at least 1.
  public let pixels: PixelSize

  /// Creates a screen.
  ///
  /// - Throws: `GeometryError` if a number is not finite or not positive, or if the screen would have
  ///   sides of more than `maximumSide` pixels.
  public init(size: ViewSize, scale: Double = 1) throws(GeometryError) {
    self.size = try GeometryError.size(size, "screen")
    self.scale = try GeometryError.length(scale, "screen.scale")
    pixels = try PixelSize(
      width: Self.pixels(size.width * scale, "screen.width * scale"),
      height: Self.pixels(size.height * scale, "screen.height * scale"))
  }

  /// The longest side in pixels: four times that of an 8K screen, a gigapixel for a square.
  public static let maximumSide = 32768

  private static func pixels(_ length: Double, _ argument: String) throws(GeometryError) -> Int {
    guard length <= Double(maximumSide) else {
      throw GeometryError(
        argument: argument, value: length, reason: .tooLarge(limit: maximumSide))
    }
    return max(1, Int(length.rounded()))
  }

  /// The whole viewport, in points.
  public var bounds: ViewRect {
    ViewRect(x: 0, y: 0, width: size.width, height: size.height)
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case width, height, scale
  }

  /// Decodes a screen from its width, height and, if it is not 1, scale; checked as by `init`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
    let size = ViewSize(
      width: try values.decode(Double.self, forKey: .width),
      height: try values.decode(Double.self, forKey: .height))
    let scale = try values.decodeIfPresent(Double.self, forKey: .scale) ?? 1
    self = try decoder.checked { () throws(GeometryError) in try Screen(size: size, scale: scale) }
  }

  /// Encodes width, height and scale.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(size.width, forKey: .width)
    try values.encode(size.height, forKey: .height)
    try values.encode(scale, forKey: .scale)
  }
}
