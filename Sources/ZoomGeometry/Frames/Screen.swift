/// What is drawn on: a viewport in points, and how many pixels of the screen make a point.
public struct Screen: Sendable, Hashable, Codable {
  /// The viewport's size in points.
  public let size: ViewSize

  /// Screen pixels a point: 1, 2, 3, or between on scaled screens.
  public let scale: Double

  /// What of each edge is covered by the device: a notch, rounded corners, the home indicator.
  public let insets: ViewInsets

  /// The viewport's size in screen pixels, each side rounded to the nearest and at least 1.
  public let pixels: PixelSize

  /// Creates a screen.
  ///
  /// - Throws: `GeometryError` if a number is not finite or not positive, if the screen would have
  ///   sides of more than `maximumSide` pixels, or if the insets are negative or leave less than half
  ///   of a side.
  public init(size: ViewSize, scale: Double = 1, insets: ViewInsets = .none) throws(GeometryError) {
    self.size = try GeometryError.size(size, "screen")
    self.insets = try insets.checked(in: size)
    self.scale = try GeometryError.length(scale, "screen.scale")
    pixels = try PixelSize(
      width: Self.pixels(size.width * scale, "screen.width * scale"),
      height: Self.pixels(size.height * scale, "screen.height * scale"))
  }

  /// The longest side in pixels: four times that of an 8K screen, a gigapixel for a square.
  public static let maximumSide = 32768

  private static func pixels(_ length: Double, _ argument: String) throws(GeometryError) -> Int {
    guard length <= Double(maximumSide) else {
      throw GeometryError(argument: argument, value: length, reason: .tooLarge(limit: maximumSide))
    }
    return max(1, Int(length.rounded()))
  }

  /// What nothing of the device covers, in points of the viewport: what is to be touched lies there.
  public var safeArea: ViewRect {
    ViewRect(
      x: insets.left, y: insets.top, width: size.width - insets.left - insets.right,
      height: size.height - insets.top - insets.bottom)
  }

  /// The nearest coordinate, in points, at which a screen pixel begins.
  func onPixel(_ points: Double) -> Double { (points * scale).rounded() / scale }

  /// The nearest such coordinate that is not beyond a limit.
  func onPixel(_ points: Double, upTo limit: Double) -> Double {
    let nearest = (min(points, limit) * scale).rounded()
    // Not rounded down: of a limit that is on a pixel the product may be just below a whole number.
    return nearest / scale <= limit ? nearest / scale : (nearest - 1) / scale
  }

  /// Whether a picture pixel of a length in points covers a whole number of screen pixels.
  ///
  /// A billionth is what a dozen roundings leave; over the longest picture of a screen it is a
  /// thirty-thousandth of a pixel.
  func showsWhole(pixelOf length: Double) -> Bool {
    let pixels = length * scale
    return pixels > 0 && abs(pixels - pixels.rounded()) <= 1e-9 * pixels
  }

  /// The whole viewport, in points.
  public var bounds: ViewRect { size.atOrigin }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case width, height, scale, insets
  }

  /// Decodes a screen from its width and height, its scale if it is not 1, and its insets if there
  /// are any; checked as by `init`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
    let size = ViewSize(
      width: try values.decode(Double.self, forKey: .width),
      height: try values.decode(Double.self, forKey: .height))
    let scale = try values.decodeIfPresent(Double.self, forKey: .scale) ?? 1
    let insets = try values.decodeIfPresent(ViewInsets.self, forKey: .insets) ?? .none
    self = try decoder.checked { () throws(GeometryError) in
      try Screen(size: size, scale: scale, insets: insets)
    }
  }

  /// Encodes width, height and scale, and insets if there are any.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(size.width, forKey: .width)
    try values.encode(size.height, forKey: .height)
    try values.encode(scale, forKey: .scale)
    if insets != .none { try values.encode(insets, forKey: .insets) }
  }
}

/// Widths along the four edges of a viewport, in points.
public struct ViewInsets: Sendable, Hashable, Codable {
  /// The width at an edge.
  public var top, left, bottom, right: Double

  /// Nothing at any edge.
  public static let none = ViewInsets()

  /// Creates insets.
  public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case top, left, bottom, right
  }

  /// Decodes insets; an edge that is left out has none.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
    top = try values.decodeIfPresent(Double.self, forKey: .top) ?? 0
    left = try values.decodeIfPresent(Double.self, forKey: .left) ?? 0
    bottom = try values.decodeIfPresent(Double.self, forKey: .bottom) ?? 0
    right = try values.decodeIfPresent(Double.self, forKey: .right) ?? 0
  }

  /// Half of each side at least stays free: no device covers more, and there is room to touch.
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
