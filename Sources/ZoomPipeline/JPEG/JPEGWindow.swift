public import ZoomGeometry

/// A small JPEG that holds only the MCUs that a region's pixels depend on.
///
/// Its coefficients are the picture's own: inside the region it decodes to the same pixels as the
/// whole picture. Around the region it holds the rest of the MCUs at the border, and the margin
/// that smooth chroma upsampling needs, whose outermost pixels may differ from the picture. It is
/// about as small as the picture's own bits for these MCUs, and can be served as it is.
public struct JPEGWindow: Sendable, Hashable {
  /// The file: a standard sequential JPEG.
  ///
  /// It contains the orientation unless that is upright, but no other metadata, such as profiles
  /// (see `bytes(withProfile:)`) or comments.
  public let bytes: [UInt8]
  /// The part of the picture that it holds, in pixels as the file stores them, before orientation.
  public let stored: PixelRegion
  /// The region's origin in this JPEG, in stored pixels.
  public let offset: PixelPoint
  /// The region's size in stored pixels.
  public let size: PixelSize
}

extension JPEGWindow {
  /// Returns the file with a colour profile added.
  ///
  /// Tiles on a page do without, because a profile may be larger than a tile.
  /// - Returns: The file; nil if the profile needs more than the 255 segments that can be numbered.
  public func bytes(withProfile profile: [UInt8]) -> [UInt8]? {
    guard let segments = JPEGSegment.profile(profile) else { return nil }
    var encoded = bytes
    JPEGSegment.insert(segments, into: &encoded)
    return encoded
  }
}

/// A source that can cut JPEGs of regions out of its picture without decoding.
public protocol JPEGWindowSource: IndexCompletingSource {
  /// Returns a JPEG of the MCUs of a region of the upright picture.
  /// - Throws: `PipelineError`: `outside`, or `unsupported` when the coded data breaks the rules.
  func window(for region: PixelRegion) throws(PipelineError) -> JPEGWindow
}
