internal import Synchronization
internal import ZoomGeometry

/// The least that a region of a JPEG can cost: libjpeg-turbo alone, on a JPEG of just its MCUs.
///
/// Nobody can read pictures this way, for the small JPEG must be there already. It says how much of a
/// peek's time is the decoder's, in one thread, and how much is finding the region's bits. So it is
/// none of the standard pipelines.
package struct FloorPipeline: PicturePipeline {
  /// Its name in reports.
  package static let name = "floor"

  package let name: String = Self.name
  package let summary: String = Self.explanation

  static let explanation =
    "libjpeg-turbo alone, on a JPEG of just the region's MCUs made beforehand"

  private let indexed: IndexedPipeline

  /// Makes the pipeline.
  /// - Parameter indexed: cuts out the regions.
  package init(indexed: IndexedPipeline = IndexedPipeline()) { self.indexed = indexed }

  package var limits: PictureLimits { indexed.limits }

  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    func refusal(_ reason: String) -> PipelineError {
      PipelineError(.unsupported, operation: name, file: picture.path, reason: reason)
    }
    guard let windows = try indexed.open(picture) as? any JPEGWindowSource else {
      throw refusal("its parts cannot be handed out")
    }
    // Turning pixels is no decoder's work.
    guard picture.orientation == .up else { throw refusal("it is not stored upright") }
    guard picture.format == .uint8, JPEGDecoder.isKnown(picture.bands, picture.interpretation)
    else { throw refusal("its colours are neither grey, RGB nor CMYK of 8 bits") }
    return FloorSource(picture: picture, windows: windows)
  }
}

/// A source that is told what it will be asked, so that part of an answer can be made beforehand.
///
/// A benchmark tells it outside of what is timed; nothing else has a use for such a source.
package protocol AnticipatingSource: RegionSource {
  /// Gets ready for a request, which is read next.
  /// - Parameter request: the request.
  /// - Throws: `PipelineError` when it cannot be answered.
  func anticipate(_ request: RegionRequest) throws(PipelineError)
}

final class FloorSource: AnticipatingSource {
  /// What was made for the next read.
  private struct Ready {
    let request: RegionRequest
    let window: JPEGWindow
    /// Where the region is in it.
    let part: PixelRegion
  }

  private let picture: Picture
  private let windows: any JPEGWindowSource
  private let ready = Mutex<Ready?>(nil)

  let state = SourceState.index
  let explanation = FloorPipeline.explanation

  init(picture: Picture, windows: any JPEGWindowSource) {
    self.picture = picture
    self.windows = windows
  }

  var size: PixelSize { picture.size }

  var openingWork: Work { windows.openingWork }

  func forget() {
    ready.withLock { $0 = nil }
    windows.forget()
  }

  func anticipate(_ request: RegionRequest) throws(PipelineError) {
    try request.check(pictureSize: size, file: picture.path)
    guard request == RegionRequest(request.region) else {
      throw refusal("requests that reduce or turn are not for the decoder alone")
    }
    let window = try windows.window(for: request.region)
    do {
      let part = try PixelRegion(
        x: window.offset.x, y: window.offset.y, width: window.size.width,
        height: window.size.height)
      ready.withLock { $0 = Ready(request: request, window: window, part: part) }
    } catch {
      throw PipelineError(
        .fault, operation: FloorPipeline.name, file: picture.path, reason: "\(error)")
    }
  }

  /// Decodes what was made beforehand; its work reads nothing, as the window is in memory.
  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    guard let ready = ready.withLock({ $0 }), ready.request == request else {
      throw PipelineError(
        .fault, operation: FloorPipeline.name, file: picture.path,
        reason: "region \(request.region) was not announced")
    }
    guard
      let pixels = try JPEGDecoder.decode(
        ready.window.bytes, region: ready.part, reduction: .none, bands: picture.bands,
        interpretation: picture.interpretation, file: picture.path)
    else { throw refusal("libjpeg-turbo alone does not decode it as libvips does") }
    return RegionAnswer(
      pixels: pixels,
      work: Work(
        bytesRead: 0, pixelsDecoded: ready.window.stored.area, pixelsDelivered: pixels.size.area))
  }

  private func refusal(_ reason: String) -> PipelineError {
    PipelineError(.unsupported, operation: FloorPipeline.name, file: picture.path, reason: reason)
  }
}
