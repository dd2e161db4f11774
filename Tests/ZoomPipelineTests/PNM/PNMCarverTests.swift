import PropertyTesting
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Regions read out of uncompressed pixels are those of a full decode.
struct PNMCarverTests {
  private let folder: TestFolder
  // libvips marks its loader of PNM as untrusted.
  private let pipeline = CarvedPipeline(limits: PictureLimits(loaders: .all))

  init() throws { folder = try TestFolder() }

  @Test(arguments: ["P5", "P6"], [255, 65_535, 100, 1000])
  func `regions equal a full decode`(_ magic: String, _ greatest: Int) throws {
    var numbers = SplitMix64(seed: UInt64(greatest))
    for (width, height) in [(1, 1), (37, 53), (64, 3), (3, 64)] {
      let file = try write(magic, "\n\(width)  \(height)\n\(greatest) ", width * height, &numbers)
      let source = try pipeline.open(file)
      let naive = try NaivePipeline(limits: pipeline.limits).open(file)
      let whole = try naive.read(RegionRequest(PixelRegion(whole: naive.size))).pixels
      for region in try TellingRegions(of: source.size).all() {
        let answer = try source.read(RegionRequest(region))
        #expect(answer.pixels.difference(from: whole.crop(region)) == nil, "\(region)")
        #expect(answer.work.pixelsDecoded == region.area)
      }
    }
  }

  @Test func `text, comments and missing pixels are refused`() throws {
    var numbers = SplitMix64(seed: 1)
    let comment = try write("P5", "\n# 3 4\n3 4\n255\n", 12, &numbers)
    #expect(throws: PipelineError.self) { try pipeline.open(comment) }
    let text = try folder.write(Array("P2\n2 2\n255\n1 2 3 4\n".utf8), as: "text.pgm")
    #expect(throws: PipelineError.self) { try pipeline.open(text) }
    let cut = try write("P6", "\n9 9\n255\n", 20, &numbers)
    #expect(throws: PipelineError.self) { try pipeline.open(cut) }
  }

  /// Six bytes for each pixel: more than any kind here needs.
  private func write(
    _ magic: String, _ header: String, _ pixels: Int, _ numbers: inout SplitMix64
  ) throws -> FilePath {
    let noise = (0..<pixels * 6).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    return try folder.write(Array((magic + header).utf8) + noise, as: "a.ppm")
  }
}
