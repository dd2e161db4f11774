import Foundation
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Tests the values and defaults of the pipeline protocols.
struct PipelineTests {
  @Test func `a request survives being written down`() throws {
    let request = RegionRequest(
      try PixelRegion(x: 1, y: 2, width: 3, height: 4), reduction: .half, turn: .clockwise)
    let json = try JSONEncoder().encode(request)
    #expect(try JSONDecoder().decode(RegionRequest.self, from: json) == request)
  }

  @Test func `a stored request with a senseless region is refused`() {
    let json = Data(#"{"region":{"x":0,"y":0,"width":0,"height":5}}"#.utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RegionRequest.self, from: json)
    }
  }

  @Test
  func `a pipeline that says no more promises exactness, prepares nothing and assesses by opening`()
    async throws
  {
    struct Foreign: Pipeline {
      let name = "foreign"
      let summary = "somebody else's"
      func open(_ path: FilePath) throws(PipelineError) -> any RegionSource {
        try NaivePipeline().open(path)
      }
    }
    let path = try await CorpusPictures.file("tiny-1x1")
    #expect(Foreign().isExact)
    #expect(try Foreign().prepare(path) == nil)
    #expect(try Foreign().assess(path) == Foreign().open(path).explanation)
    #expect(throws: PipelineError.self) { try Foreign().assess(FilePath("/no/such/file.jpg")) }
  }
}
