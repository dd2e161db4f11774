internal import Synchronization
package import SystemPackage
package import ZoomGeometry
package import ZoomPipeline

/// A picture's header and its full decode, which answers are held against.
///
/// The decode is the naive source's, made at the first use and kept: it shares nothing with the other
/// sources but libvips itself.
package final class ReferencePicture: Sendable {
  /// The picture's header.
  package let header: Picture
  private let raster = Mutex<Result<Pixels, PipelineError>?>(nil)

  /// The most bytes of a raster that is kept: a picture of 357 megapixels in 8-bit RGB.
  package static let mostBytes = 1 << 30

  /// Reads a picture's header.
  ///
  /// - Throws: `PipelineError`.
  package init(_ path: FilePath) throws(PipelineError) { header = try Picture(path) }

  /// The file.
  package var path: FilePath { header.path }

  /// Width and height as the picture is to be seen.
  package var size: PixelSize { header.size }

  /// The whole picture as it is to be seen.
  ///
  /// - Returns: the naive source's answer.
  /// - Throws: `PipelineError`, of code `overBudget` for a raster of more than `mostBytes`.
  package func whole() throws(PipelineError) -> Pixels {
    try raster.withLock { (kept) -> Result<Pixels, PipelineError> in
      if let kept { return kept }
      let made = Result { () throws(PipelineError) in try decoded() }
      kept = made
      return made
    }.get()
  }

  private func decoded() throws(PipelineError) -> Pixels {
    guard header.rasterByteCount <= Self.mostBytes else {
      throw PipelineError(
        .overBudget, operation: "decode for reference", file: path,
        reason: "its raster of \(header.rasterByteCount) bytes is more than \(Self.mostBytes)",
        advice: "verify on a smaller picture")
    }
    return try NaivePipeline().open(path).read(RegionRequest(PixelRegion(whole: size))).pixels
  }
}
