import SystemPackage
import Testing
import ZoomGeometry
import ZoomPipeline

// The README's example, compiled: a pipeline of one's own held against naive.

/// Opens pictures with the decoder under test.
struct MyPipeline: Pipeline {
  let name = "mine"
  let summary = "my decoder"

  func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
    MySource(picture: try Picture(path))
  }
}

/// One opened picture.
final class MySource: RegionSource {
  let picture: Picture
  var size: PixelSize { picture.size }
  let state = SourceState.nothing
  let openingWork = Work(bytesRead: 0, pixelsDecoded: 0, pixelsDelivered: 0)
  let explanation = "my decoder reads every picture"

  init(picture: Picture) { self.picture = picture }

  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    // Refuses, reduces and turns: all that the decoder has to know is regions one to one.
    try request.answer(pictureSize: size, file: picture.path) { region in
      let bytes = decodeWithMyDecoder(picture, region)
      return RegionAnswer(
        pixels: Pixels(
          size: region.size, bands: picture.bands, format: picture.format,
          interpretation: picture.interpretation, bytes: bytes),
        work: Work(
          bytesRead: nil, pixelsDecoded: region.area, pixelsDelivered: region.area))
    }
  }

  func forget() {}
}

/// Stands for the decoder: one that has not been written yet and gives black.
private func decodeWithMyDecoder(_ picture: Picture, _ region: PixelRegion) -> [UInt8] {
  [UInt8](repeating: 0, count: region.area * picture.bands * picture.format.byteCount)
}

/// The first region in which a pipeline differs from naive; nil when there is none.
func firstDifference(
  between pipeline: any Pipeline, on path: FilePath, at touches: [ViewPoint]
) throws -> PixelRegion? {
  let naive = try #require(StandardPipelines().named("naive")).open(path)
  let mine = try pipeline.open(path)
  let setup = try PeekSetup(
    picture: naive.size, viewport: ViewSize(width: 375, height: 667))
  for touch in touches {
    guard let peek = try setup.peek(at: touch) else { continue }
    let request = RegionRequest(peek.region)
    if try mine.read(request).pixels != naive.read(request).pixels { return peek.region }
  }
  return nil
}
