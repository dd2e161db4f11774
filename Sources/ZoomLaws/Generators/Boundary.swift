/// A place where zoom code changes its mind, and so the place to test it.
public enum Boundary: String, Sendable, Hashable, CaseIterable {
  /// Where the shown picture begins or ends.
  case imageEdge
  /// Where the viewport begins or ends.
  case viewportEdge
  /// Where a crop centred on the touch first reaches the picture's border.
  case cropLimit
  /// Between two tiles of 256 or 512 pixels.
  case tileSeam
  /// Between two coding blocks of 8 or 16 pixels.
  case codingBlock
  /// In the middle of a pixel, where rounding goes either way.
  case halfPixel
  /// The smallest and the largest zoom.
  case scaleLimit
  /// The force at which a press counts.
  case forceThreshold

  /// The boundaries that a place on the screen can be at.
  public static let ofPlaces: Set<Boundary> = [
    .imageEdge, .viewportEdge, .cropLimit, .tileSeam, .codingBlock, .halfPixel,
  ]
}
