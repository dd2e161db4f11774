public import ZoomGeometry

/// How many picture pixels a side go into one pixel of an answer.
///
/// These are the factors that JPEG's inverse DCT, and the levels of a pyramid, give for less than
/// the price of all pixels.
public enum Reduction: Int, Sendable, Hashable, Codable, CaseIterable {
  /// One to one.
  case none = 1
  case half = 2
  case quarter = 4
  case eighth = 8

  /// Returns how many pixels a side of the picture becomes; the last may be a part of a block.
  /// - Parameter side: picture pixels, at least 1.
  /// - Returns: pixels of an answer, at least 1.
  public func reduced(_ side: Int) -> Int { (side + rawValue - 1) / rawValue }
}

/// What is asked of a picture: a rectangle of it, one to one or reduced, and turned.
public struct RegionRequest: Sendable, Hashable {
  /// The rectangle, in upright picture pixels.
  public let region: PixelRegion

  /// How many picture pixels a side go into one pixel of the answer.
  ///
  /// The blocks of a reduction are counted from the picture's top left corner.
  public let reduction: Reduction

  /// How the answer is turned, after it is cut out and reduced.
  public let turn: QuarterTurn

  /// Whether a reduced answer may come from a reduced copy of the picture that its file holds.
  ///
  /// Nothing in a file says how such a copy was made, or even that it is the same picture: so no two
  /// answers are compared that were asked for in this way.
  public let usesStoredLevels: Bool

  /// Asks for a rectangle.
  /// - Parameters:
  ///   - region: in upright picture pixels; it must lie inside the picture, and of a reduction it must
  ///     hold whole blocks: begin at a multiple of the reduction, and end at one or at the picture's
  ///     edge. A source throws otherwise.
  ///   - reduction: how many picture pixels a side go into one pixel.
  ///   - turn: how the answer is turned.
  ///   - usesStoredLevels: whether a reduced answer may come from a reduced copy that the file holds.
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
    // A part of a region's sides is at least 1 and no longer than they are.
    PixelRegion(whole: region.size).reduced(by: reduction.rawValue).size.turned(by: turn)
  }
}

extension RegionRequest: Codable {
  private enum CodingKeys: String, CodingKey {
    case region, reduction, turn, usesStoredLevels
  }

  /// Decodes a request; without a reduction and a turn it is one to one and upright, and no level is used.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try values.decode(PixelRegion.self, forKey: .region),
      reduction: try values.decodeIfPresent(Reduction.self, forKey: .reduction) ?? .none,
      turn: try values.decodeIfPresent(QuarterTurn.self, forKey: .turn) ?? .none,
      usesStoredLevels: try values.decodeIfPresent(Bool.self, forKey: .usesStoredLevels) ?? false)
  }
}

/// What an answer's pixels are made with.
public enum Resampling: String, Sendable, Hashable, Codable {
  /// The picture's own pixels: equal to a full decode, byte for byte.
  case none
  /// The mean of each block of picture pixels.
  case blockMean
  /// The decoder's own reduction: of a JPEG, an inverse DCT of fewer points.
  case decoder
  /// A reduced copy of the picture that the file holds: equal to a full decode of that copy, byte for byte.
  case stored
}

/// What a read gives: the pixels, and what it cost to make them.
public struct RegionAnswer: Sendable, Hashable {
  /// Exactly the pixels of the request.
  public let pixels: Pixels
  /// What was read and decoded for them.
  public let work: Work
  /// What the pixels are made with; `none` for every request that is one to one.
  public let resampling: Resampling

  /// Puts an answer together.
  /// - Parameters:
  ///   - pixels: the request's pixels.
  ///   - work: what they cost.
  ///   - resampling: what they are made with.
  public init(pixels: Pixels, work: Work, resampling: Resampling = .none) {
    self.pixels = pixels
    self.work = work
    self.resampling = resampling
  }
}
