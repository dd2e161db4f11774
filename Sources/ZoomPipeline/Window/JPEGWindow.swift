public import ZoomGeometry

/// A small JPEG of just those MCUs of a picture that a region's pixels depend on.
///
/// Its coefficients are the picture's own: decoded, it has the very pixels of the whole picture inside
/// the region. Beyond the region lie the rest of the MCUs at its border and the margin that smooth
/// chroma needs, whose outermost pixels a decoder makes without their neighbours. It is as small as
/// the picture's own bits for these MCUs and can be served as it is.
public struct JPEGWindow: Sendable, Hashable {
  /// The file: a standard sequential JPEG.
  ///
  /// An orientation other than upright is in it; profiles (see `bytes(withProfile:)`), comments and other
  /// metadata are not.
  public let bytes: [UInt8]
  /// What of the picture it holds, in pixels as the file stores them, before orientation.
  public let stored: PixelRegion
  /// Where the region begins in it, in stored pixels.
  public let offset: PixelPoint
  /// The region's size in stored pixels.
  public let size: PixelSize
}

extension JPEGWindow {
  /// The file with a colour profile in it.
  ///
  /// Tiles on a page can do without: a profile may be larger than they are.
  /// - Parameter profile: as the picture has it.
  /// - Returns: nil when the profile is longer than the 255 segments that can be numbered.
  public func bytes(withProfile profile: [UInt8]) -> [UInt8]? {
    guard let segments = JPEGSegment.profile(profile) else { return nil }
    var encoded = bytes
    JPEGSegment.insert(segments, into: &encoded)
    return encoded
  }
}

/// A source that can hand out parts of its picture without decoding them.
public protocol JPEGWindowSource: RegionSource {
  /// Cuts out a region's MCUs.
  /// - Parameter region: inside the upright picture.
  /// - Returns: a JPEG that holds the region.
  /// - Throws: `PipelineError`: `outside`, or `unsupported` when the coded data breaks the rules.
  func window(for region: PixelRegion) throws(PipelineError) -> JPEGWindow

  /// Makes the whole index, as what earlier peeks find makes later ones cheaper.
  /// - Throws: `PipelineError` of code `unsupported` when the coded data breaks the rules.
  func completeIndex() throws(PipelineError)
}
