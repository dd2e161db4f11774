internal import Synchronization
package import SystemPackage
internal import ZoomGeometry
package import ZoomPipeline

/// A picture's header and its full decode, which answers are compared with.
///
/// The naive source decodes it at the first use and shares only libvips with the other sources.
/// libvips converts the whole picture if answers are in other colours.
package final class ReferencePicture: Sendable {
  let header: Picture
  private let converter: ColourConverter?
  private let raster = Mutex<Result<Pixels, PipelineError>?>(nil)
  private let reductions = Mutex<[Reduction: Result<Pixels?, PipelineError>]>([:])

  package init(
    _ path: FilePath, limits: PictureLimits = .standard, colour: ColourTarget? = nil
  ) throws(PipelineError) {
    let picture = try Picture(path, limits: limits)
    header = picture
    converter = if let colour { try ColourConverter(picture, to: colour) } else { nil }
  }

  var path: FilePath { header.path }

  var size: PixelSize { header.size }

  /// The form of answers.
  var form: AnswerForm { header.form(in: converter?.target) }

  /// Returns the whole upright picture.
  package func whole() throws(PipelineError) -> Pixels {
    try raster.withLock { (kept) -> Result<Pixels, PipelineError> in
      if let kept { return kept }
      let made = Result { () throws(PipelineError) in
        let pixels = try decoded(RegionRequest(PixelRegion(whole: size)))
        return try converter?.convert(pixels) ?? pixels
      }
      kept = made
      return made
    }.get()
  }

  private func decoded(_ request: RegionRequest) throws(PipelineError) -> Pixels {
    try NaivePipeline().open(header).read(request).pixels
  }

  /// Returns an answer whose samples were reduced before the conversion; nil if there is none.
  func convertedMeans(_ request: RegionRequest) throws(PipelineError) -> Pixels? {
    try converter?.convert(decoded(request))
  }

  /// Returns the whole upright picture, reduced by libvips' decoder; nil if that cannot reduce it.
  func reduced(by reduction: Reduction) throws(PipelineError) -> Pixels? {
    try reductions.withLock { (kept) -> Result<Pixels?, PipelineError> in
      if let kept = kept[reduction] { return kept }
      let made = Result { () throws(PipelineError) -> Pixels? in
        let pixels = try header.reducedPixels(by: reduction)
        guard let reduced = pixels, let converter else { return pixels }
        return try converter.convert(reduced)
      }
      kept[reduction] = made
      return made
    }.get()
  }

  /// Releases the decoded pixels; the next use decodes them again.
  package func forget() {
    raster.withLock { $0 = nil }
    reductions.withLock { $0 = [:] }
  }
}
