/// A screen: its viewport in points, and the number of pixels per point.
public struct Screen: Sendable, Hashable, Codable {
  /// The viewport's size in points.
  public let size: ViewSize
  /// The number of pixels per point: 1, 2, 3, or between on scaled screens.
  public let scale: Double
  /// The widths that a notch, rounded corners or the home indicator take.
  public let insets: ViewInsets
  /// The viewport's size in screen pixels, each side rounded to the nearest and at least 1.
  public let pixels: PixelSize

  /// Creates a screen.
  ///
  /// - Throws: `GeometryError` if a number is not finite or not positive, if a side exceeds
  ///   `maximumSide` pixels, or if the insets are negative or leave less than half of a side.
  public init(size: ViewSize, scale: Double = 1, insets: ViewInsets = .none) throws(GeometryError) {
    self.size = try GeometryError.size(size, "screen")
    self.insets = try insets.checked(in: size)
    self.scale = try GeometryError.length(scale, "screen.scale")
    pixels = try PixelSize(
      width: Self.pixels(size.width * scale, "screen.width * scale"),
      height: Self.pixels(size.height * scale, "screen.height * scale"))
  }

  /// The longest side in pixels: four times an 8K screen's.
  public static let maximumSide = 32768

  private static func pixels(_ length: Double, _ argument: String) throws(GeometryError) -> Int {
    guard length <= Double(maximumSide) else {
      throw GeometryError(argument: argument, value: length, reason: .tooLarge(limit: maximumSide))
    }
    return max(1, Int(length.rounded()))
  }

  /// The safe area, in points of the viewport: the part without insets.
  public var safeArea: ViewRect {
    ViewRect(
      x: insets.left, y: insets.top, width: size.width - insets.left - insets.right,
      height: size.height - insets.top - insets.bottom)
  }

  /// Returns the nearest coordinate, in points, at which a screen pixel begins.
  func onPixel(_ points: Double) -> Double { (points * scale).rounded() / scale }

  /// Returns the nearest pixel start, in points, up to a limit.
  func onPixel(_ points: Double, upTo limit: Double) -> Double {
    let nearest = (min(points, limit) * scale).rounded()
    // The limit is not simply rounded down: for a limit exactly on a pixel, `limit * scale` may be
    // just below the whole number, and rounding down would lose a pixel.
    return nearest / scale <= limit ? nearest / scale : (nearest - 1) / scale
  }

  /// Returns whether a picture pixel of a length in points covers a whole number of screen pixels.
  ///
  /// The tolerance of a billionth allows for a dozen roundings. Across the longest screen it adds up
  /// to a thirty-thousandth of a pixel.
  func showsWhole(pixelOf length: Double) -> Bool {
    let pixels = length * scale
    return pixels > 0 && abs(pixels - pixels.rounded()) <= 1e-9 * pixels
  }

  /// The whole viewport, in points.
  public var bounds: ViewRect { size.atOrigin }

  private enum CodingKeys: String, CodingKey {
    case width, height, scale, insets
  }

  static let keys: DocumentKeys = [
    "width": .value, "height": .value, "scale": .value,
    "insets": .values("top", "left", "bottom", "right"),
  ]

  /// Decodes a screen and checks it as the initialiser does; scale and insets are optional.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self = try decoder.checked {
      try Screen(
        size: ViewSize(from: decoder),
        scale: values.decodeIfPresent(Double.self, forKey: .scale) ?? 1,
        insets: values.decodeIfPresent(ViewInsets.self, forKey: .insets) ?? .none)
    }
  }

  /// Encodes width, height and scale, and insets if there are any.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try size.encode(to: encoder)
    try values.encode(scale, forKey: .scale)
    if insets != .none { try values.encode(insets, forKey: .insets) }
  }
}

/// Widths along the four edges of a viewport, in points.
public struct ViewInsets: Sendable, Hashable, Codable {
  /// The width at the edge.
  public var top, left, bottom, right: Double
  /// No insets.
  public static let none = ViewInsets()

  /// Creates insets.
  public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// Decodes insets; every edge is optional.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func edge(_ key: CodingKeys) throws -> Double {
      try values.decodeIfPresent(Double.self, forKey: key) ?? 0
    }
    self.init(
      top: try edge(.top), left: try edge(.left), bottom: try edge(.bottom),
      right: try edge(.right))
  }

  /// Returns the insets if they leave half of each side: no device covers more.
  fileprivate func checked(in size: ViewSize) throws(GeometryError) -> ViewInsets {
    for (value, edge) in [(top, "top"), (left, "left"), (bottom, "bottom"), (right, "right")] {
      _ = try GeometryError.notNegative(value, "screen.insets.\(edge)")
    }
    for (covered, side, name) in [
      (top + bottom, size.height, "height"), (left + right, size.width, "width"),
    ] where covered > side / 2 {
      throw GeometryError(
        argument: "screen.insets", value: covered,
        reason: .contradiction("leave less than half of the screen's \(name)"))
    }
    return self
  }
}
