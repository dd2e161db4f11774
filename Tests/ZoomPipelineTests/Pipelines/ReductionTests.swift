import SystemPackage
import TestSupport
import Testing
import ZoomGeometry

@testable import ZoomPipeline

/// Tests the properties that reduced answers of every source share.
struct ReductionTests {
  static let pictures = [
    "jpeg-444", "jpeg-422", "jpeg-440", "jpeg-411", "jpeg-scans", "orientation-2", "grey", "ycck",
    "png", "png-alpha", "webp", "tiff-tiled", "tiny-17x3", "tiny-1x1",
  ]

  /// The reference is the mean of blocks of the naive source's exact pixels.
  @Test(arguments: pictures)
  func `an answer of block means is the mean by definition, the same from every source`(
    _ name: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let reference = try Reference(path)
    for reduction in Reduction.real {
      let whole = reference.pixels.blockMeans(reduction.rawValue)
      var means: Set<String> = []
      for (pipeline, source) in try StandardPipelines().opened(path) {
        for region in try Self.regions(of: source.size, reduction) {
          let request = RegionRequest(region, reduction: reduction)
          let answer = try source.read(request)
          let label = "\(pipeline.name) \(region) by \(reduction.rawValue)"
          #expect(answer.pixels.size == request.outputSize, "\(label)")
          #expect(answer.work.pixelsDelivered == request.outputSize.area, "\(label)")
          guard answer.resampling == .blockMean else { continue }
          means.insert(pipeline.name)
          let wanted = try whole.crop(region.inBlocks(of: reduction))
          #expect(answer.pixels.difference(from: wanted) == nil, "\(label)")
        }
      }
      #expect(means.isSuperset(of: ["naive", "random", "resident", "tiled"]), "\(name): \(means)")
    }
  }

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

  @Test(arguments: pictures)
  func `the answer for a part is the part of the answer for the whole`(
    _ name: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    for (pipeline, source) in try StandardPipelines().opened(path, besides: "naive") {
      for reduction in Reduction.real {
        let whole = try source.read(
          RegionRequest(PixelRegion(whole: source.size), reduction: reduction))
        for region in try Self.regions(of: source.size, reduction) {
          let part = try source.read(RegionRequest(region, reduction: reduction))
          let wanted = try whole.pixels.crop(region.inBlocks(of: reduction))
          let label = "\(pipeline.name) \(region) by \(reduction.rawValue)"
          #expect(part.pixels.difference(from: wanted) == nil, "\(label)")
          #expect(part.resampling == whole.resampling, "\(label)")
        }
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

  @Test(arguments: ["jpeg-444", "orientation-6", "png", "tiff-tiled"])
  func `regions of parts of blocks are refused by every source`(_ name: String) async throws {
    let path = try await CorpusPictures.file(name)
    for (pipeline, source) in try StandardPipelines().opened(path) {
      for (x, y, width, height) in [(4, 0, 4, 8), (0, 2, 8, 6), (0, 0, 9, 8), (0, 0, 8, 9)] {
        let region = try PixelRegion(x: x, y: y, width: width, height: height)
        expectError(.outside, of: path, "\(pipeline.name)") {
          try source.read(RegionRequest(region, reduction: .eighth))
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
    return try regions.map { try $0.holdingBlocks(of: reduction, in: size) }
  }
}
