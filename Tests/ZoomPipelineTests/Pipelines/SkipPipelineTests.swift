import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that `skip` does less work than `sequential` and fails when it fails.
struct SkipPipelineTests {
  @Test(arguments: ["forest", "jpeg-444", "jpeg-410", "jpeg-422", "grey", "grey-2x2", "ycck"])
  func `every MCU down to the region's foot is decoded or walked through, never both`(
    _ name: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let source = try SkipPipeline().open(path)
    let jpeg = try JPEGStructure(of: path)
    for region in try TellingRegions(of: source.size, seed: 96).random(20) {
      let work = try source.read(RegionRequest(region)).work
      let label = "\(region) \(work)"
      let decoded = try #require(work.unitsDecoded)
      #expect((decoded + work.unitsWalked).isMultiple(of: jpeg.mcusPerRow), "\(label)")
      #expect(decoded + work.unitsWalked <= jpeg.mcuCount, "\(label)")
      #expect(
        (decoded + work.unitsWalked) / jpeg.mcusPerRow * jpeg.mcuSize.height >= region.maxY,
        "\(label)")
      // At most two more columns and rows of MCUs than the region touches.
      let across = region.width / jpeg.mcuSize.width + 4
      let down = region.height / jpeg.mcuSize.height + 5
      let isCropped =
        jpeg.components.count > 1
        || jpeg.components[0].horizontal * jpeg.components[0].vertical == 1
      #expect(decoded <= (isCropped ? across : jpeg.mcusPerRow) * down, "\(label)")
      #expect(work.pixelsDelivered == region.area)
      #expect(try #require(work.pixelsDecoded) >= region.area, "\(label)")
    }
  }

  /// Runs in a separate process, because other tests open files at the same time.
  @Test func `no descriptor stays open, whether pictures are good or broken`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TestFolder()
      let jpeg = try JPEGBytes.small()
      let good = try folder.write(jpeg.bytes, as: "good.jpg")
      let cut = try folder.write(Array(jpeg.bytes.prefix(jpeg.codedStart + 300)), as: "cut.jpg")
      let text = try folder.write(Array("text".utf8), as: "text.jpg")
      func openDescriptors() -> Int { (0..<256).count { fcntl($0, F_GETFD) != -1 } }
      func readAll() {
        for path in [good, cut, text] {
          guard let source = try? SkipPipeline().open(path) else { continue }
          let whole = PixelRegion(whole: source.size)
          _ = try? source.read(RegionRequest(whole))
          _ = try? source.read(RegionRequest(whole, reduction: .half))
          _ = try? SequentialForm.encoded(FileReader(path), memoryLimit: 1 << 24)
        }
      }
      // At the first use libvips opens files that it keeps open.
      readAll()
      let before = openDescriptors()
      for _ in 0..<5 { readAll() }
      precondition(openDescriptors() == before, "descriptors were left open")
    }
  }
}
