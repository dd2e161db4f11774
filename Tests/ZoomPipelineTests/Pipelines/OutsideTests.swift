import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that a region outside the picture is an error of every source and never clamped.
struct OutsideTests {
  /// orientation-6 is 205x331 but stored as 331x205: regions of the stored picture must be refused.
  static let pictures = ["orientation-6", "jpeg-444", "png", "tiff-tiled", "tiny-1x1"]

  @Test(arguments: pictures)
  func `regions outside, partly outside and negative are refused`(_ name: String) async throws {
    let path = try await CorpusPictures.file(name)
    let size = try Picture(path).size
    let (width, height) = (size.width, size.height)
    let far = PixelSize.maximumSide
    let regions = try [
      (width, 0, 1, 1), (0, height, 1, 1), (width - 1, 0, 2, 1), (0, height - 1, 1, 2),
      (-1, 0, 1, 1), (0, -1, 1, 1), (-1, -1, 2, 2), (-1, 0, width, 1), (0, 0, width + 1, height),
      (0, 0, width, height + 1), (-far, -far, far, far), (far, far, far, far), (0, 0, far, far),
      (width + 5, height + 5, 3, 3),
    ].map { try PixelRegion(x: $0.0, y: $0.1, width: $0.2, height: $0.3) }
    let required = StandardPipelines.serving(path)
    for (pipeline, source) in try StandardPipelines().opened(path, requiring: required) {
      for region in regions {
        let error = expectError(.outside, of: path, "\(pipeline.name) \(region)") {
          try source.read(RegionRequest(region))
        }
        #expect(error?.description.contains("\(region)") == true, "\(pipeline.name)")
      }
      // A refusal does not change the source: regions inside are still served.
      let pixel = try PixelRegion(x: width - 1, y: height - 1, width: 1, height: 1)
      #expect(try source.read(RegionRequest(pixel)).pixels.size == pixel.size)
    }
  }
}
