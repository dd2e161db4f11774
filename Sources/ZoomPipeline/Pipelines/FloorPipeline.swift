internal import Synchronization
package import ZoomGeometry

/// Measures the least that a region can cost: decoding a small file of just its coded parts.
///
/// libjpeg-turbo alone decodes a JPEG of the region's MCUs; libvips decodes what is carved out of
/// other formats, or pixels that are not coded are copied. A viewer cannot read pictures this way, because the small file must exist
/// beforehand. The figure separates the decoder's part of a peek's time, in one thread, from the
/// part that finds the region's data. Therefore this is not a standard pipeline.
package struct FloorPipeline: PicturePipeline {
  package static let name = "floor"

  package let name: String = Self.name
  package let summary: String = Self.explanation

  static let explanation =
    "the decoder alone, on a small file of just the region's parts made beforehand"

  private let partial: PartialPipeline

  package init(_ partial: PartialPipeline = PartialPipeline()) { self.partial = partial }

  package var limits: PictureLimits { partial.limits }

  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    // A decoder does not turn pixels.
    guard picture.orientation == .up else {
      throw .refusal(name, picture.path, "it is not stored upright")
    }
    // A WebP is carved whole, so that its floor would be the whole peek.
    guard picture.loader != "webpload" else {
      throw .refusal(name, picture.path, "its parts cannot be copied into a small file")
    }
    let parts = try partial.openParts(of: picture)
    if parts is any JPEGWindowSource, JPEGDecoder(picture) == nil {
      throw .refusal(name, picture.path, "its colours are neither grey, RGB nor CMYK of 8 bits")
    }
    return FloorSource(picture, parts)
  }
}

/// A source that must be given a request before it is read, so that the small file exists by then.
///
/// Only a benchmark uses it, which announces the request outside the timed part.
package final class FloorSource: RegionSource {
  private struct SmallFile: Sendable {
    let pixelsDecoded: Int?
    /// Returns nil if the decoder does not decode them as libvips decodes the whole file.
    let decode: @Sendable () throws(PipelineError) -> Pixels?
  }

  private let picture: Picture
  private let parts: any PartialSource
  private let ready = Mutex<(request: RegionRequest, file: SmallFile)?>(nil)

  package let state = SourceState.index
  package let explanation = FloorPipeline.explanation

  fileprivate init(_ picture: Picture, _ parts: any PartialSource) {
    self.picture = picture
    self.parts = parts
  }

  package var size: PixelSize { picture.size }

  package var openingWork: Work { parts.openingWork }

  package func forget() {
    ready.withLock { $0 = nil }
    parts.forget()
  }

  /// Makes the small file for a request, which must be the next one read.
  package func anticipate(_ request: RegionRequest) throws(PipelineError) {
    try request.check(pictureSize: size, file: picture.path)
    guard request == RegionRequest(request.region) else {
      throw .refusal(
        FloorPipeline.name, picture.path,
        "the floor is measured only for requests at full size that are not turned")
    }
    let file = try smallFile(of: request.region)
    ready.withLock { $0 = (request, file) }
  }

  private func smallFile(of region: PixelRegion) throws(PipelineError) -> SmallFile {
    guard let windows = parts as? any JPEGWindowSource, let decoder = JPEGDecoder(picture) else {
      return SmallFile(pixelsDecoded: nil, decode: try parts.carved(region))
    }
    let window = try windows.window(for: region)
    let part = region.relative(to: (window.stored.x, window.stored.y))
    return SmallFile(pixelsDecoded: window.stored.area) { () throws(PipelineError) in
      try decoder.decode(window.bytes, part, .none)
    }
  }

  /// Decodes the small file; its work counts 0 bytes read, as the small file is in memory.
  package func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    guard let ready = ready.withLock({ $0 }), ready.request == request else {
      throw PipelineError(
        .fault, operation: FloorPipeline.name, file: picture.path,
        reason: "region \(request.region) was not announced")
    }
    guard let pixels = try ready.file.decode() else {
      throw .refusal(
        FloorPipeline.name, picture.path, "the decoder alone does not decode it as libvips does")
    }
    return RegionAnswer(
      pixels: pixels,
      work: Work(
        bytesRead: 0, pixelsDecoded: ready.file.pixelsDecoded, pixelsDelivered: pixels.size.area))
  }
}
