public import ZoomGeometry

/// A picture of a state: what a screen shows of it, and what that took.
public struct Frame: Sendable, Hashable {
  /// The screen's pixels: 8-bit sRGB in three bands.
  public let pixels: Pixels
  /// What was read and decoded for it, over all layers.
  public let work: Work
  /// What each picture layer took that is seen, from back to front.
  public let layers: [DrawnLayer]
}

/// How a picture layer got into a frame.
public struct DrawnLayer: Sendable, Hashable {
  /// Where the pixels came from.
  public enum Origin: String, Sendable, Hashable, Codable {
    /// The source was asked.
    case source
    /// An answer that an earlier frame, or layer, had got.
    case heldAnswer
    /// The stretched layer of an earlier frame.
    case heldLayer
  }

  /// The layer's place in the state.
  public let index: Int
  /// The picture pixels that it took.
  public let region: PixelRegion
  /// How many of them a side were decoded into one.
  public let reduction: Reduction
  /// Whether they were copied or stretched.
  public let kind: PicturePlan.Kind
  /// What the source made the decoded pixels with.
  public let resampling: Resampling
  /// Where the pixels came from.
  public let origin: Origin
  /// What they cost; nothing unless they came from the source.
  public let work: Work
}
