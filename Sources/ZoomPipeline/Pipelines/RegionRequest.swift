public import ZoomGeometry

/// The factor by which an answer is smaller than the picture, in each direction.
///
/// JPEG's inverse DCT reduces by 2, 4 and 8 at less than the full cost, a level of a pyramid by its
/// own factor.
public struct Reduction: RawRepresentable, Sendable, Hashable, Codable {
  /// The factor: the side in picture pixels of the block that becomes one pixel.
  public let rawValue: Int

  /// The largest factor, 64.
  public static let largestFactor = 64

  /// Creates a reduction by a whole factor; nil unless it is 1 to `largestFactor`.
  public init?(rawValue: Int) {
    guard (1...Self.largestFactor).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  private init(factor: Int) { rawValue = factor }

  /// Full size.
  public static let none = Reduction(factor: 1)
  /// A reduction by 2.
  public static let half = Reduction(factor: 2)
  /// A reduction by 4.
  public static let quarter = Reduction(factor: 4)
  /// A reduction by 8.
  public static let eighth = Reduction(factor: 8)

  /// The reductions of JPEG decoders, full size first.
  package static let ofDecoders: [Reduction] = [.none, .half, .quarter, .eighth]

  /// Returns the reduction that remains after another one; nil unless the factor is divisible.
  func remainder(after first: Reduction) -> Reduction? {
    rawValue.isMultiple(of: first.rawValue)
      ? Reduction(factor: rawValue / first.rawValue) : nil
  }

  /// Returns the reduced length of a side; a partial block at the end counts as a pixel.
  public func reduced(_ side: Int) -> Int { (side + rawValue - 1) / rawValue }
}

/// A request for a rectangle of a picture, at full size or reduced, and turned.
public struct RegionRequest: Sendable, Hashable {
  /// The rectangle, in upright picture pixels.
  public let region: PixelRegion

  /// The reduction of the answer, whose blocks are counted from the picture's top left corner.
  public let reduction: Reduction

  /// The turn of the answer, applied after cropping and reducing.
  public let turn: QuarterTurn

  /// Whether a reduced answer may come from a reduced copy of the picture that its file holds.
  ///
  /// A file does not say how such a copy was made, or whether it shows the same picture, so such
  /// answers are not compared with each other.
  public let usesStoredLevels: Bool

  /// Creates a request for a rectangle.
  ///
  /// A source throws if the region is not inside the picture. For a reduction, it must begin at a
  /// multiple of the factor, and end at one or at the picture's edge.
  public init(
    _ region: PixelRegion, reduction: Reduction = .none, turn: QuarterTurn = .none,
    usesStoredLevels: Bool = false
  ) {
    self.region = region
    self.reduction = reduction
    self.turn = turn
    self.usesStoredLevels = usesStoredLevels
  }

  /// The size of the answer's pixels.
  public var outputSize: PixelSize {
    // A reduced side is at least 1 and at most the region's side, so it makes a valid size.
    PixelRegion(whole: region.size).reduced(by: reduction.rawValue).size.turned(by: turn)
  }
}

extension RegionRequest: Codable {
  /// Decodes a request; by default it is at full size, upright and uses no stored level.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try values.decode(PixelRegion.self, forKey: .region),
      reduction: try values.decodeIfPresent(Reduction.self, forKey: .reduction) ?? .none,
      turn: try values.decodeIfPresent(QuarterTurn.self, forKey: .turn) ?? .none,
      usesStoredLevels: try values.decodeIfPresent(Bool.self, forKey: .usesStoredLevels) ?? false)
  }
}

/// The method by which an answer's pixels are made.
public enum Resampling: String, Sendable, Hashable, Codable {
  /// The picture's own pixels, equal to a full decode byte for byte.
  case none
  /// The mean of each block of picture pixels.
  case blockMean
  /// The decoder's own reduction: in a JPEG, an inverse DCT of fewer points.
  case decoder
  /// A reduced copy that the file holds, equal to a full decode of that copy byte for byte.
  case stored
}

/// The pixels of a region and the work that they cost.
public struct RegionAnswer: Sendable, Hashable {
  /// The pixels of the requested region.
  public let pixels: Pixels
  /// The work of reading and decoding them.
  public let work: Work
  /// The method by which the pixels are made; `none` for every request at full size.
  public let resampling: Resampling
  /// The colours that the pixels were converted to; nil for pixels as stored.
  public let colour: ColourTarget?

  /// Creates an answer.
  public init(
    pixels: Pixels, work: Work, resampling: Resampling = .none, colour: ColourTarget? = nil
  ) {
    self.pixels = pixels
    self.work = work
    self.resampling = resampling
    self.colour = colour
  }
}
