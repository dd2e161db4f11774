import Synchronization
import TestSupport
import Testing
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

func screen(_ width: Double, _ height: Double, scale: Double = 1) throws -> Screen {
  try Screen(size: ViewSize(width: width, height: height), scale: scale)
}

/// Returns a layer that shows a rectangle of a picture through a map, one point per picture pixel.
func layer(
  _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ map: Affine = .identity
) -> PictureLayer {
  PictureLayer(
    content: PictureRect(x: x, y: y, width: width, height: height),
    size: ViewSize(width: width, height: height), transform: map)
}

func expectError<Result>(
  _ code: PipelineError.Code, _ comment: Comment? = nil, in body: () throws -> Result
) {
  let error = #expect(throws: PipelineError.self, comment, performing: body)
  #expect(error?.code == code, comment)
}
