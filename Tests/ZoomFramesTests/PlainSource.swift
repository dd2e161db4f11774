import Synchronization
import TestSupport
import ZoomGeometry
import ZoomPipeline

/// A source over pixels in memory that keeps its requests.
final class PlainSource: RegionSource {
  let state = SourceState.raster
  let openingWork = Work.none
  let explanation = "a test"
  private let pixels: Pixels
  private let asked = Mutex<[RegionRequest]>([])

  init(_ pixels: Pixels) { self.pixels = pixels }

  var size: PixelSize { pixels.size }
  /// The requests so far, in order.
  var requests: [RegionRequest] { asked.withLock { $0 } }

  func forget() {}

  func read(_ request: RegionRequest) throws(PipelineError) -> RegionAnswer {
    try request.answer(pictureSize: size, file: nil) { region throws(PipelineError) in
      asked.withLock { $0.append(request) }
      return RegionAnswer(
        pixels: pixels.crop(region),
        work: Work(
          bytesRead: 0, pixelsDecoded: request.outputSize.area, pixelsDelivered: region.area))
    }
  }
}
