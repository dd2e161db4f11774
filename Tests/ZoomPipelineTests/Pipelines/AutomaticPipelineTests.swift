import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

struct AutomaticPipelineTests {
  /// A pipeline that ignores the indexes in the user's folder.
  private let pipeline = AutomaticPipeline(indexed: IndexedPipeline())

  @Test(arguments: try CorpusPictures.all().filter { $0.structure.width < 1000 }.map(\.name))
  func `tiles are read alone, sequential JPEGs entered, anything else kept`(
    _ name: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let entry = try #require(try CorpusManifest.builtIn().pictures(named: [name]).first)
    let choice = try pipeline.choose(path)
    let wanted =
      entry.recipe.encoding.format == .tiff
      ? "random"
      : ExactnessTests.mayRefuse("indexed", entry) ? "resident" : "indexed"
    #expect(choice.name == wanted)
    #expect(!choice.reason.isEmpty)
    #expect(choice.reason == choice.source.explanation)
    let kept = entry.recipe.encoding.format == .webp ? [] : ["carved"]
    let passedOver = [
      "random": [], "indexed": ["random"], "resident": ["random", "indexed"] + kept,
    ]
    #expect(choice.refusals.map(\.name) == passedOver[wanted])
    #expect(choice.refusals.allSatisfy { !$0.reason.isEmpty })
    #expect(try pipeline.assess(path).hasPrefix("\(wanted): "))
  }

  @Test func `what is too large to keep is passed over from the top`() async throws {
    let path = try await CorpusPictures.file("jpeg-scans")
    // The raster, and two bytes per coefficient for a picture with several scans.
    let need = 613 * 457 * 3 * 3
    let choice = try AutomaticPipeline(
      limits: PictureLimits(bytes: need - 1), indexed: IndexedPipeline()
    ).choose(path)
    #expect(choice.name == "sequential")
    #expect(choice.refusals.map(\.name) == ["random", "indexed", "carved", "resident"])
    let fitting = try AutomaticPipeline(
      limits: PictureLimits(bytes: need), indexed: IndexedPipeline()
    ).choose(path)
    #expect(fitting.name == "resident")
    expectError(.overBudget) {
      try AutomaticPipeline(limits: PictureLimits(bytes: need / 3)).choose(path)
    }
  }
}
