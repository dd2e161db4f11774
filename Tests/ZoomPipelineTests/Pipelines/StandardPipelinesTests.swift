import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct StandardPipelinesTests {
  private let pipelines = StandardPipelines()

  @Test func `the reference comes first and names are unique`() {
    #expect(pipelines.names.first == "naive")
    #expect(Set(pipelines.names).count == pipelines.names.count)
    #expect(
      Set(pipelines.names)
        == [
          "naive", "random", "sequential", "skip", "tiled", "resident", "indexed",
          "automatic",
        ])
  }

  @Test func `each is found by its name, says what it does and promises exact pixels`() {
    for pipeline in pipelines.all {
      #expect(pipelines.named(pipeline.name)?.summary == pipeline.summary)
      #expect(!pipeline.summary.isEmpty)
      #expect(pipeline.isExact)
    }
    #expect(pipelines.named("Restart") == nil)
    #expect(pipelines.named("") == nil)
  }

  @Test func `the equivalent of tiled elsewhere is random on its TIFF, the rest are themselves`()
    async throws
  {
    let path = try await CorpusPictures.file("orientation-1")
    for name in pipelines.names {
      let same = pipelines.freshEquivalent(of: name, for: path)
      #expect(same.source == name && same.path == path)
    }
    let tiled = try #require(pipelines.named("tiled"))
    _ = try tiled.prepare(path)
    let fresh = pipelines.freshEquivalent(of: "tiled", for: path)
    #expect(fresh.source == "random" && fresh.path != path)
    let region = try PixelRegion(x: 11, y: 12, width: 90, height: 80)
    let source = try #require(pipelines.named(fresh.source)).open(fresh.path)
    let pixels = try source.read(RegionRequest(region)).pixels
    #expect(try pixels.difference(from: Reference(path).crop(region)) == nil)
    pipelines.removeFiles()
    #expect(throws: PipelineError.self) { try FileVersion(of: fresh.path) }
  }
}
