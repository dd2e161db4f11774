import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

@Suite struct FloorPipelineTests {
  private func open(_ path: FilePath) throws -> FloorSource {
    try #require(try FloorPipeline().open(path) as? FloorSource)
  }

  @Test(arguments: [JPEGEncoding.Sampling.yCbCr444, JPEGEncoding.Sampling.yCbCr420])
  func `what was announced has the pixels of the whole picture, and reads nothing`(
    sampling: [JPEGEncoding.Sampling]
  ) throws {
    let options = JPEGEncoding(sampling: sampling, quality: 85)
    let made = try MadeJPEG(options, 301, 130)
    let source = try open(made.path)
    let whole = try Image.open(made.path, access: .random)
    for region in try made.regions(60, seed: 3) {
      let request = RegionRequest(region)
      try source.anticipate(request)
      let answer = try source.read(request)
      let isEqual = try answer.pixels == whole.read(region)
      #expect(isEqual, "\(region)")
      #expect(answer.work.bytesRead == 0)
      #expect(answer.work.pixelsDelivered == region.area)
      // A window of MCUs with one more on each side.
      let decoded = try #require(answer.work.pixelsDecoded)
      #expect(decoded >= region.area)
      #expect(decoded <= (region.width + 64) * (region.height + 64))
    }
  }

  @Test func `what was not announced is a fault`() throws {
    let made = try MadeJPEG(JPEGEncoding(quality: 80), 160, 120)
    let source = try open(made.path)
    let request = RegionRequest(try PixelRegion(x: 20, y: 30, width: 40, height: 50))
    let other = RegionRequest(try PixelRegion(x: 21, y: 30, width: 40, height: 50))
    func fails(_ request: RegionRequest) {
      expectError(.fault) { try source.read(request) }
    }
    fails(request)
    try source.anticipate(request)
    fails(other)
    _ = try source.read(request)
    source.forget()
    fails(request)
  }

  @Test func `a region outside, one reduced and one turned cannot be announced`() throws {
    let made = try MadeJPEG(JPEGEncoding(quality: 80), 160, 120)
    let source = try open(made.path)
    let region = try PixelRegion(x: 16, y: 16, width: 32, height: 32)
    let outside = try PixelRegion(x: 150, y: 16, width: 32, height: 32)
    for (request, code) in [
      (RegionRequest(outside), PipelineError.Code.outside),
      (RegionRequest(region, reduction: .half), .unsupported),
      (RegionRequest(region, turn: .clockwise), .unsupported),
    ] {
      expectError(code) { try source.anticipate(request) }
    }
  }

  @Test(arguments: ["a.png", "a.tif"])
  func `what is carved out of other formats has the pixels of the whole picture`(
    name: String
  ) throws {
    let folder = try TestFolder()
    let made = RandomPNG(RandomPNG.Kind(colourType: 2, depth: 8), width: 90, height: 130, seed: 8)
    let png = try folder.write(made.bytes, as: "a.png")
    let path = folder.path.appending(name)
    if name != "a.png" {
      try Image.open(png, access: .random).write(
        to: path, as: .settings("[compression=deflate,tile-height=8]"))
    }
    let source = try open(path)
    let whole = try Reference(path)
    for region in try TellingRegions(of: source.size, seed: 9).random(20) {
      let request = RegionRequest(region)
      try source.anticipate(request)
      let answer = try source.read(request)
      #expect(answer.pixels.difference(from: whole.crop(region)) == nil, "\(region)")
      #expect(answer.work.bytesRead == 0)
    }
  }

  @Test(arguments: ["orientation-6", "webp", "tiff-tiled", "petronas-progressive"])
  func `what is not upright or cannot be entered is refused`(name: String) async throws {
    let path = try await CorpusPictures.file(name)
    let error = #expect(throws: PipelineError.self) { try FloorPipeline().open(path) }
    #expect(error?.isRefusal == true)
  }

  @Test func `nobody can choose it`() {
    #expect(!StandardPipelines().names.contains(FloorPipeline.name))
  }
}
