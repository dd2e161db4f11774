import PixelLaws
import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Tests which filter reduces a picture; laws PX-12 to PX-14 check the pixels.
struct ReductionTests {
  /// A JPEG decoder's reduction uses another filter, so only its distance from the mean is checked.
  ///
  /// An inverse DCT of few points keeps frequencies below its limit. The mean weakens them a little
  /// and keeps some of those above. At full resolution the two differ by less than one level of 255
  /// on average. Subsampled chroma is smoothed by a full decode across the hard colour edges of
  /// these pictures, but not if libjpeg reduces by as much: up to three levels for halves and six
  /// for quarters, hence the bounds. A half turn gives twenty levels and more.
  @Test(arguments: [
    ("jpeg-444", 1.0), ("grey", 1), ("cmyk", 1), ("ycck", 1), ("jpeg-422", 3.5), ("jpeg-440", 3.5),
    ("jpeg-410", 6),
  ])
  func `the decoder's reduction is close to the block means`(
    _ name: String, _ bound: Double
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let naive = try NaivePipeline().open(path)
    for reduction in Reduction.real {
      let request = RegionRequest(PixelRegion(whole: naive.size), reduction: reduction)
      let means = try naive.read(request).pixels
      for pipeline in [IndexedPipeline(), SequentialPipeline(), SkipPipeline()] as [any Pipeline] {
        let source = try pipeline.open(path)
        let answer = try source.read(request)
        #expect(answer.resampling == .decoder, "\(pipeline.name)")
        let distance = answer.pixels.meanDifference(from: means)
        #expect(distance < bound, "\(pipeline.name) by \(reduction.rawValue): \(distance)")
        let moved = answer.pixels.turned(by: .half).meanDifference(from: means)
        #expect(moved > 4 * distance, "\(pipeline.name): \(moved) after half a turn")
      }
    }
  }

  /// The same stored pixels, 331x205, under eight tags.
  ///
  /// No side has whole blocks, so a decoder's blocks are upright ones only if no side is reversed.
  @Test(arguments: Orientation.allCases)
  func `every orientation reduces upright blocks`(_ orientation: Orientation) async throws {
    let path = try await CorpusPictures.file("orientation-\(orientation.rawValue)")
    let naive = try NaivePipeline().open(path)
    let coincide = [Orientation.up, .leftMirrored].contains(orientation)
    for reduction in Reduction.real {
      let request = RegionRequest(PixelRegion(whole: naive.size), reduction: reduction)
      let means = try naive.read(request).pixels
      for (pipeline, source) in try StandardPipelines().opened(path) {
        let answer = try source.read(request)
        let decodes =
          ["indexed", "sequential", "skip"].contains(pipeline.name) && coincide
        if pipeline.name != "automatic" {
          #expect(answer.resampling == (decodes ? .decoder : .blockMean), "\(pipeline.name)")
        }
        if answer.resampling == .blockMean {
          #expect(answer.pixels.difference(from: means) == nil, "\(pipeline.name)")
        } else {
          #expect(answer.pixels.meanDifference(from: means) < 6, "\(pipeline.name)")
        }
      }
    }
  }

  @Test func `naive decodes all, sequential from the top, both through a reduction`() async throws {
    let path = try await CorpusPictures.file("jpeg-444")
    let region = try PixelRegion(x: 16, y: 80, width: 64, height: 32)
    let request = RegionRequest(region, reduction: .quarter)
    let naive = try NaivePipeline().open(path).read(request).work
    #expect(naive.pixelsDecoded == 613 * 457)
    #expect(naive.pixelsDelivered == 16 * 8)
    let sequential = try SequentialPipeline().open(path).read(request).work
    #expect(sequential.pixelsDelivered == 16 * 8)
    #expect(try #require(sequential.bytesRead) < FileVersion(of: path).length)
  }

  /// Returns corners, edges and seeded places, each made of whole blocks.
  static func regions(of size: PixelSize, _ reduction: Reduction) throws -> [PixelRegion] {
    let telling = TellingRegions(of: size, seed: 82)
    let count = Thoroughness.pick(1, full: 2)
    let regions =
      try telling.corners().suffix(2 * count) + telling.edges().prefix(count)
      + telling.random(count)
    return regions.map { $0.holdingBlocks(of: reduction.rawValue, in: size) }
  }
}
