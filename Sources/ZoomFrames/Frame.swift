public import ZoomGeometry
public import ZoomPipeline

/// The pixels that a screen shows of a state, and the work that they cost.
public struct Frame: Sendable, Hashable {
  /// The screen's pixels: 8-bit sRGB in three bands.
  public let pixels: Pixels
  /// The work of reading and decoding, over all layers.
  public let work: Work
  /// The picture layers that are visible, from back to front.
  public let layers: [DrawnLayer]
}

/// A picture layer in a frame.
public struct DrawnLayer: Sendable, Hashable {
  /// The origin of a layer's pixels.
  public enum Origin: String, Sendable, Hashable, Codable {
    /// The source read them.
    case source
    /// An answer for an earlier frame or layer.
    case heldAnswer
    /// The stretched layer of an earlier frame.
    case heldLayer
  }

  /// The layer's index in the state.
  public let index: Int
  /// The picture pixels that the layer uses.
  public let region: PixelRegion
  /// The reduction with which they were decoded.
  public let reduction: Reduction
  /// Whether they were copied or stretched.
  public let kind: PicturePlan.Kind
  /// The method by which the source made the decoded pixels.
  public let resampling: Resampling
  /// The origin of the pixels.
  public let origin: Origin
  /// The work of reading them; zero unless they came from the source.
  public let work: Work
}
