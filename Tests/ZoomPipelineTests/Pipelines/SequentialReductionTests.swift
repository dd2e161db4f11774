import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// `sequential` presents a size of whole blocks by replacing four bytes as they are read.
struct SequentialReductionTests {
  @Test(arguments: Reduction.real)
  func `it reduces as the whole file does, whatever stands before the frame`(
    _ reduction: Reduction
  ) throws {
    let folder = try TestFolder()
    for length in [0, 60_000, 130_000] {
      let profile = length > 0 ? [UInt8](repeating: 0xFF, count: length) : nil
      let jpeg = try JPEGBytes(
        203, 107, JPEGEncoding(quality: 85).with(\.metadata.icc, profile))
      let path = try folder.write(jpeg.bytes, as: "\(length).jpg")
      let source = try SequentialPipeline().open(path)
      let whole = try jpeg.wholeReduced(by: reduction)
      for region in try ReductionTests.regions(of: source.size, reduction) {
        let answer = try source.read(RegionRequest(region, reduction: reduction))
        #expect(answer.resampling == .decoder)
        let wanted = whole.crop(region.reduced(by: reduction.rawValue))
        #expect(answer.pixels.difference(from: wanted) == nil, "\(region) behind \(length) bytes")
      }
    }
  }

  /// Compares with libvips on the unchanged file: blocks that are whole in both must be the same.
  @Test(arguments: ["petronas-progressive", "jpeg-scans", "forest"])
  func `whole blocks are those that libvips gives for the file as it is`(
    _ name: String
  ) async throws {
    let path = try await CorpusPictures.file(name)
    let source = try SequentialPipeline().open(path)
    let known = try JPEGBytes(bytes(of: path)).reduced(by: .eighth)
    let region = try PixelRegion(
      x: 0, y: 0, width: known.size.width * 8, height: known.size.height * 8)
    let answer = try source.read(RegionRequest(region, reduction: .eighth))
    #expect(answer.resampling == .decoder)
    #expect(answer.pixels.difference(from: known) == nil)
  }

  @Test func `the widest JPEG has no room for whole blocks, so it is averaged`() throws {
    let made = try MadeJPEG(JPEGEncoding(colour: .gray, quality: 85), 65_500, 2)
    let region = try PixelRegion(x: 65_480, y: 0, width: 20, height: 2)
    for (reduction, resampling) in [
      (Reduction.quarter, Resampling.decoder), (.eighth, .blockMean),
    ] {
      let request = RegionRequest(region, reduction: reduction)
      let answer = try SequentialPipeline().open(made.path).read(request)
      #expect(answer.resampling == resampling)
      #expect(answer.pixels.size.height == 1)
      for pipeline in [SkipPipeline(), IndexedPipeline()] as [any Pipeline] {
        let other = try pipeline.open(made.path).read(request)
        #expect(other.resampling == resampling)
        #expect(other.pixels.difference(from: answer.pixels) == nil)
      }
    }
  }
}
