import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that nothing is left beside a picture, and no file open, whatever happened.
struct LeftoverTests {
  /// Runs in a separate process and folder, because other tests open files at the same time.
  @Test func `neither good nor broken pictures leave a file beside them or an open one`() async {
    await #expect(processExitsWith: .success) {
      let pictures = try TestFolder()
      let jpeg = try JPEGBytes.small()
      let names = ["cut.jpg", "good.jpg", "text.jpg"]
      try pictures.write(Array(jpeg.bytes.prefix(jpeg.codedStart + 300)), as: names[0])
      try pictures.write(jpeg.bytes, as: names[1])
      try pictures.write(Array("text".utf8), as: names[2])
      let paths = (names + ["missing.jpg"]).map { pictures.path.appending($0) }
      func read(_ path: FilePath, _ pipeline: any Pipeline) {
        guard let source = try? pipeline.open(path) else { return }
        let whole = PixelRegion(whole: source.size)
        _ = try? source.read(RegionRequest(whole))
        _ = try? source.read(RegionRequest(whole, reduction: .half))
      }
      for path in paths {
        for pipeline in StandardPipelines().all { read(path, pipeline) }
      }
      let beside = try pictures.names()
      precondition(beside == names, "left: \(beside)")
      func openDescriptors() -> Int { (0..<256).count { fcntl($0, F_GETFD) != -1 } }
      func decodeAll() {
        for path in paths {
          read(path, PartialPipeline())
          _ = try? SequentialForm.encoded(FileReader(path), memoryLimit: 1 << 24)
        }
      }
      // At the first use libvips opens files that it keeps open.
      decodeAll()
      let before = openDescriptors()
      for _ in 0..<5 { decodeAll() }
      precondition(openDescriptors() == before, "descriptors were left open")
    }
  }
}
