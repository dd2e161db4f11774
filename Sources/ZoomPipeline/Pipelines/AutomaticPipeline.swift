/// Picks the best exact source for a picture.
package struct AutomaticPipeline: PicturePipeline {
  /// The source picked for a picture, and its name.
  package typealias Choice = (name: String, source: any RegionSource)

  package let name = "automatic"
  package let summary = "the best exact source for the picture"
  private let partial: PartialPipeline

  package init(_ partial: PartialPipeline = PartialPipeline()) { self.partial = partial }

  package var limits: PictureLimits { partial.limits }

  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    try choose(picture).source
  }

  /// Picks by the cost of peeks, in this order: parts that libvips reads alone; parts that
  /// `partial` reads; rows decoded once and kept; for a picture too large to keep, a pass from the
  /// top.
  ///
  /// If peeks into parts cost too much, the source keeps rows in memory: see `AdaptiveRaster`.
  package func choose(_ picture: Picture) throws(PipelineError) -> Choice {
    if picture.reach == .regions {
      return ("random", try RandomPipeline(limits: limits).open(picture))
    }
    do throws(PipelineError) {
      return ("partial", try partial.openParts(of: picture, isAdaptive: true))
    } catch {
      guard error.isRefusal else { throw error }
    }
    // A decoder that stops above the point where a file is truncated does not notice it.
    let isWhole = try picture.isKnownToBeWhole()
    do throws(PipelineError) {
      return ("resident", try ResidentSource(picture, isGrowing: isWhole))
    } catch {
      guard error.isRefusal else { throw error }
    }
    return ("sequential", try SequentialPipeline().open(picture))
  }
}

extension Picture {
  /// Returns whether the file is known to hold all coded data.
  /// - Throws: `damaged` for a JPEG that is cut off.
  fileprivate func isKnownToBeWhole() throws(PipelineError) -> Bool {
    guard let jpeg = jpegStructure else { return try tiff?.hasAllStrips(in: file) ?? false }
    try jpeg.assertComplete(file)
    return true
  }
}
