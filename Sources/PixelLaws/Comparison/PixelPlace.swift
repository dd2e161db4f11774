package import ZoomGeometry
package import ZoomPipeline

/// The place of an answer in a picture, so that a drawing can show its surroundings.
///
/// Often the smallest input that breaks a law is one pixel, which shows nothing without them.
package struct PixelPlace: Sendable {
  /// The requested region.
  package let region: PixelRegion
  /// The expected picture.
  package let reference: ReferencePicture
  /// The source of the answer.
  package let source: any RegionSource

  /// Returns the region with surroundings: at least `side` pixels a side if the picture allows.
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
