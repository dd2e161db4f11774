import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Checks that `skip` does less work than `sequential`.
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
}
