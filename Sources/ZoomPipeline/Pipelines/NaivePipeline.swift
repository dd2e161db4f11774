package import SystemPackage
internal import ZoomGeometry

/// Decodes the whole picture for every request, then crops: what all others are measured against.
///
/// It shares nothing with the other sources but libvips itself: the picture is turned upright by
/// libvips' own autorotation, not by our region arithmetic, so it can serve as their reference. It
/// reduces by the mean of exact pixels, so it is the reference for reductions too.
package struct NaivePipeline: Pipeline {
  package let name = "naive"
  package let summary = "decode the whole picture, then crop"

  /// Makes the pipeline.
  package init() {}

  package func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    NaiveSource(picture: try Picture(path))
  }
}

private final class NaiveSource: RegionSource {
  let picture: Picture
  private let layout: CodedLayout
  let state = SourceState.nothing
  let openingWork = Work.none

  init(picture: Picture) {
    self.picture = picture
    layout = CodedLayout(of: picture)
  }

  var explanation: String { "works for every picture; decodes all of it for each peek" }

  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    try request.answer(pictureSize: size, file: picture.path) { region throws(PipelineError) in
      try picture.assertUnchanged()
      let image = try Image.open(picture.path, access: .sequential)
      let pixels = try image.decodedIntoMemory(picture.path).uprightByHeader()
        .read(region, of: picture.path)
      return RegionAnswer(
        pixels: pixels, work: layout.wholeWork(of: picture, delivering: region.area))
    }
  }

  var size: PixelSize { picture.size }

  func forget() {}
}
