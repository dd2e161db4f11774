import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that no files remain in the folder for temporary files, whatever happened.
///
/// Runs in a separate process and folder, because other tests make such files at the same time.
struct LeftoverTests {
  @Test func `neither good nor broken pictures leave a temporary file`() async {
    await #expect(processExitsWith: .success) {
      let pictures = try TestFolder()
      let temporary = try TestFolder()
      setenv("TMPDIR", temporary.path.string, 1)
      let jpeg = try JPEGBytes.small()
      let good = try pictures.write(jpeg.bytes, as: "good.jpg")
      let cut = try pictures.write(Array(jpeg.bytes.prefix(jpeg.codedStart + 300)), as: "cut.jpg")
      let text = try pictures.write(Array("text".utf8), as: "text.jpg")
      var made = false
      do {
        let pipelines = StandardPipelines()
        for path in [good, cut, text, pictures.path.appending("missing.jpg")] {
          for pipeline in pipelines.all {
            guard let source = try? pipeline.open(path) else { continue }
            _ = try? source.read(RegionRequest(PixelRegion(whole: source.size)))
          }
        }
        // Ensures that there was a file to remove.
        made = try temporary.names().contains { $0.hasPrefix("zoombench.") }
      }
      precondition(made, "tiled made nothing")
      let left = try temporary.names()
      precondition(left.isEmpty, "left: \(left)")
      let beside = try pictures.names()
      precondition(beside == ["cut.jpg", "good.jpg", "text.jpg"], "left: \(beside)")
    }
  }
}
