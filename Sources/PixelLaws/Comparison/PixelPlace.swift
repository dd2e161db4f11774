package import ZoomGeometry
package import ZoomPipeline

/// The place in a picture that an answer is from, so that a drawing can show what is around it.
///
/// The smallest input that breaks a law is often a region of one pixel, which shows nothing by itself.
package struct PixelPlace: Sendable {
  /// The region that was asked for.
  package let region: PixelRegion
  /// The picture as it should be.
  package let reference: ReferencePicture
  /// The source that answered.
  package let source: any RegionSource

  /// The region with what is around it: a square of at least so many pixels a side, as far as the
  /// picture reaches.
  func surroundings(side: Int) -> PixelRegion {
    let size = reference.size
    func stretch(_ start: Int, _ length: Int, of limit: Int) -> (start: Int, length: Int) {
      let longer = min(limit, max(side, length))
      return (max(0, min(limit - longer, start - (longer - length) / 2)), longer)
    }
    let (x, width) = stretch(region.x, region.width, of: size.width)
    let (y, height) = stretch(region.y, region.height, of: size.height)
    return .checked(x, y, width, height)
  }
}
