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
  private let reductions = Mutex<[Reduction: Result<Pixels?, PipelineError>]>([:])

  /// Reads a picture's header.
  ///
  /// - Throws: `PipelineError`.
  package init(
    _ path: FilePath, limits: PictureLimits = .standard
  ) throws(PipelineError) { header = try Picture(path, limits: limits) }

  /// The file.
  package var path: FilePath { header.path }

  /// Width and height as the picture is to be seen.
  package var size: PixelSize { header.size }

  /// The whole picture as it is to be seen.
  ///
  /// - Returns: the naive source's answer.
  /// - Throws: `PipelineError`, of code `overBudget` for a raster that exceeds the picture's limits.
  package func whole() throws(PipelineError) -> Pixels {
    try raster.withLock { (kept) -> Result<Pixels, PipelineError> in
      if let kept { return kept }
      let made = Result { () throws(PipelineError) in try decoded() }
      kept = made
      return made
    }.get()
  }

  /// The whole picture as libvips' decoder reduces it, upright.
  ///
  /// - Returns: nil where the decoder cannot reduce it.
  /// - Throws: `PipelineError`, of code `overBudget` for pixels that exceed the picture's limits.
  package func reduced(by reduction: Reduction) throws(PipelineError) -> Pixels? {
    try reductions.withLock { (kept) -> Result<Pixels?, PipelineError> in
      if let kept = kept[reduction] { return kept }
      let made = Result { () throws(PipelineError) in try header.reducedPixels(by: reduction) }
      kept[reduction] = made
      return made
    }.get()
  }

  /// Releases the decoded pixels; they are decoded again when they are needed.
  package func forget() {
    raster.withLock { $0 = nil }
    reductions.withLock { $0 = [:] }
  }

  private func decoded() throws(PipelineError) -> Pixels {
    try NaivePipeline().open(header).read(RegionRequest(PixelRegion(whole: size))).pixels
  }
}
