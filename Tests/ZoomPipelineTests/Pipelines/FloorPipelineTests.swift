import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

@Suite struct FloorPipelineTests {
  private let folder: TestFolder
  private let region: PixelRegion

  init() throws {
    folder = try TestFolder()
    region = try PixelRegion(x: 20, y: 30, width: 40, height: 50)
  }

  private func open(_ path: FilePath) throws -> FloorSource {
    try #require(try FloorPipeline().open(path) as? FloorSource)
  }

  private func openJPEG() throws -> FloorSource {
    try open(folder.write(JPEGBytes(160, 120, JPEGEncoding(quality: 80)).bytes, as: "a.jpg"))
  }

  @Test(arguments: ["4:4:4.jpg", "4:2:0.jpg", "a.png", "a.tif"])
  func `what was announced has the pixels of the whole picture, and reads nothing`(
    name: String
  ) throws {
    let path = folder.path.appending(name)
    let isJPEG = name.hasSuffix("jpg")
    if isJPEG {
      let sampling =
        name.hasPrefix("4:4:4")
        ? JPEGEncoding.Sampling.yCbCr444 : JPEGEncoding.Sampling.yCbCr420
      let jpeg = try JPEGBytes(301, 130, JPEGEncoding(sampling: sampling, quality: 85))
      try folder.write(jpeg.bytes, as: name)
    } else {
      let png = RandomPNG(.init(colourType: 2, depth: 8), width: 90, height: 130, seed: 8)
      let made = try folder.write(png.bytes, as: "a.png")
      if name == "a.tif" {
        try Image.open(Picture(made)).write(
          to: path, as: .settings("[compression=deflate,tile-height=8]"))
      }
    }
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
    let request = RegionRequest(region)
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
