import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

struct AutomaticPipelineTests {
  /// A pipeline that ignores the indexes in the user's folder.
  private let pipeline = AutomaticPipeline()

  @Test(arguments: try CorpusPictures.all().filter { $0.structure.width < 1000 }.map(\.name))
  func `tiled pictures go to random, those with parts to partial, all others to resident`(
    _ name: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let entry = try #require(try CorpusManifest.builtIn().pictures(named: [name]).first)
    let choice = try pipeline.choose(path)
    let wanted =
      entry.recipe.encoding.format == .tiff
      ? "random"
      : ExactnessTests.mayRefuse("partial", entry) ? "resident" : "partial"
    #expect(choice.name == wanted)
  }

  @Test func `a picture too large to keep is read in a pass from the top`() async throws {
    let path = try await CorpusPictures.file("jpeg-scans")
    // The raster, and two bytes per coefficient for a picture with several scans.
    let need = 613 * 457 * 3 * 3
    func choose(_ limit: Int) throws -> AutomaticPipeline.Choice {
      try AutomaticPipeline(PartialPipeline(limits: PictureLimits(bytes: limit))).choose(path)
    }
    #expect(try choose(need - 1).name == "sequential")
    #expect(try choose(need).name == "resident")
    expectError(.overBudget) { try choose(need / 3) }
  }
}
