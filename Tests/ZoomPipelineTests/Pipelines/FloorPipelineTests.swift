import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

@Suite struct FloorPipelineTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func open(_ path: FilePath) throws -> FloorSource {
    try #require(try FloorPipeline().open(path) as? FloorSource)
  }

  private func openJPEG() throws -> FloorSource {
    try open(folder.write(JPEGBytes(160, 120, JPEGEncoding(quality: 80)).bytes, as: "a.jpg"))
  }

  @Test(arguments: ["jpeg-444", "orientation-1", "png", "a.tif"])
  func `what was announced has the pixels of the whole picture, and reads nothing`(
    name: String
  ) async throws {
    var path = folder.path.appending(name)
    if name == "a.tif" {
      try Image(Pixels.noise(90, 130)).write(
        to: path, settings: "[compression=deflate,tile-height=8]")
    } else {
      path = try await CorpusPictures.file(name)
    }
    let isJPEG = path.extension == "jpg"
    let source = try open(path)
    let whole = try Reference(path)
    for region in try TellingRegions(of: source.size, seed: 9).random(isJPEG ? 60 : 20) {
      let request = RegionRequest(region)
      try source.anticipate(request)
      let answer = try source.read(request)
      #expect(answer.pixels.difference(from: whole.crop(region)) == nil, "\(region)")
      #expect(answer.work.bytesRead == 0)
      #expect(answer.work.pixelsDelivered == region.area)
      #expect((answer.work.pixelsDecoded != nil) == isJPEG)
      // A window of MCUs with one more on each side.
      let decoded = answer.work.pixelsDecoded ?? region.area
      #expect(decoded >= region.area)
      #expect(decoded <= (region.width + 64) * (region.height + 64))
    }
  }

  @Test func `what was not announced is a fault`() throws {
    let source = try openJPEG()
    let request = RegionRequest(try PixelRegion(x: 20, y: 30, width: 40, height: 50))
    let other = RegionRequest(try PixelRegion(x: 21, y: 30, width: 40, height: 50))
    expectError(.fault) { try source.read(request) }
    try source.anticipate(request)
    expectError(.fault) { try source.read(other) }
    _ = try source.read(request)
    source.forget()
    expectError(.fault) { try source.read(request) }
  }

  @Test func `a region outside, one reduced and one turned cannot be announced`() throws {
    let source = try openJPEG()
    let outside = try PixelRegion(x: 150, y: 16, width: 32, height: 32)
    let blocks = try PixelRegion(x: 16, y: 16, width: 32, height: 32)
    expectError(.outside) { try source.anticipate(RegionRequest(outside)) }
    expectError(.unsupported) { try source.anticipate(RegionRequest(blocks, reduction: .half)) }
    expectError(.unsupported) { try source.anticipate(RegionRequest(blocks, turn: .clockwise)) }
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
