package import ZoomGeometry

/// A pipeline that converts the colours of another one's answers, read, reduced and turned as stored.
package struct ColourManagedPipeline: PicturePipeline {
  fileprivate let stored: any PicturePipeline
  fileprivate let target: ColourTarget

  package var name: String { stored.name }
  package var summary: String { "\(stored.summary), then convert it to \(target.title)" }
  package var isExact: Bool { stored.isExact }
  package var colour: ColourTarget? { target }
  package var limits: PictureLimits { stored.limits }

  package func open(_ picture: Picture) throws(PipelineError) -> any RegionSource {
    try ColourManagedSource(try stored.open(picture), of: picture, to: target)
  }
}

extension PicturePipeline {
  /// Returns a pipeline that converts to the target; itself if there is none.
  package func converting(to target: ColourTarget?) -> any PicturePipeline {
    guard let target else { return self }
    return ColourManagedPipeline(stored: self, target: target)
  }
}

/// A source that converts the colours of another one's answers.
package final class ColourManagedSource: IndexCompletingSource {
  private let stored: any RegionSource
  private let converter: ColourConverter

  package init(
    _ stored: any RegionSource, of picture: Picture, to target: ColourTarget
  ) throws(PipelineError) {
    self.stored = stored
    converter = try ColourConverter(picture, to: target)
  }

  package var size: PixelSize { stored.size }
  package var state: SourceState { stored.state }
  package var openingWork: Work { stored.openingWork }
  package var explanation: String {
    // Not refused: phones write many gain maps, whose light neither sRGB nor Display P3 has room for;
    // the base picture is made for such colours.
    let end = converter.picture.jpegStructure?.hasGainMap == true ? ", without the gain map" : ""
    return "\(stored.explanation); then converts to \(converter.target.title)\(end)"
  }

  package func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    let answer = try stored.read(request)
    return RegionAnswer(
      pixels: try converter.convert(answer.pixels), work: answer.work,
      resampling: answer.resampling, colour: converter.target)
  }

  package func storedReductions() throws(PipelineError) -> [Reduction] {
    try stored.storedReductions()
  }

  package func completeIndex() throws(PipelineError) {
    try (stored as? any IndexCompletingSource)?.completeIndex()
  }

  package func forget() { stored.forget() }
}
