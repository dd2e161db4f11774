import PixelLaws
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

extension Pixels {
  /// Returns a picture without edges: an error of one pixel changes samples by a few levels.
  static func slopes(_ width: Int, _ height: Int) throws -> Pixels {
    try Pixels(width: width, height: height) { x, y, band in
      switch band {
      case 0: UInt8(20 + 200 * x / width)
      case 1: UInt8(20 + 200 * y / height)
      default: UInt8(20 + 100 * x / width + 100 * (height - y) / height)
      }
    }
  }

  subscript(x: Int, y: Int) -> [UInt8] {
    let start = (y * size.width + x) * bands
    return Array(bytes[start..<start + bands])
  }

  /// Returns the largest difference between corresponding samples; infinity for another form.
  func largestDifference(from other: Pixels) -> Double {
    let seen = PixelComparison(self, expected: other)
    return seen.comparedPixels == size.area ? seen.largestDifference : .infinity
  }
}
