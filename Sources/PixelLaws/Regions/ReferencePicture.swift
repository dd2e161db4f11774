internal import Synchronization
internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// A picture's header and its full decode, which answers are compared with.
///
/// The naive source decodes it at the first use and shares only libvips with the other sources.
final class ReferencePicture: Sendable {
  let header: Picture
  private let raster = Mutex<Result<Pixels, PipelineError>?>(nil)
  private let reductions = Mutex<[Reduction: Result<Pixels?, PipelineError>]>([:])

  init(_ path: FilePath, limits: PictureLimits = .standard) throws(PipelineError) {
    header = try Picture(path, limits: limits)
  }

  var path: FilePath { header.path }

  var size: PixelSize { header.size }

  /// Returns the whole upright picture.
  func whole() throws(PipelineError) -> Pixels {
    try raster.withLock { (kept) -> Result<Pixels, PipelineError> in
      if let kept { return kept }
      let made = Result { () throws(PipelineError) in
        try NaivePipeline().open(header).read(RegionRequest(PixelRegion(whole: size))).pixels
      }
      kept = made
      return made
    }.get()
  }

  /// Returns the whole upright picture, reduced by libvips' decoder; nil if that cannot reduce it.
  func reduced(by reduction: Reduction) throws(PipelineError) -> Pixels? {
    try reductions.withLock { (kept) -> Result<Pixels?, PipelineError> in
      if let kept = kept[reduction] { return kept }
      let made = Result { () throws(PipelineError) in try header.reducedPixels(by: reduction) }
      kept[reduction] = made
      return made
    }.get()
  }

  /// Releases the decoded pixels; the next use decodes them again.
  func forget() {
    raster.withLock { $0 = nil }
    reductions.withLock { $0 = [:] }
  }
}
