import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct StandardPipelinesTests {
  private let pipelines = StandardPipelines()

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
