import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

/// Tests which filter reduces a picture; laws PX-12 to PX-14 and `JPEGExactnessTests` check pixels.
struct ReductionTests {
  /// Both sides of 64x40 have whole blocks, one side of 64x41 and 65x40, neither side of 331x205.
  @Test(arguments: Orientation.allCases, [(64, 40), (64, 41), (65, 40), (331, 205)])
  func `stored blocks are upright blocks where each reversed side holds whole ones`(
    _ orientation: Orientation, _ sides: (Int, Int)
  ) throws {
    let options = JPEGEncoding(quality: 85).with(\.metadata.orientation, orientation.rawValue)
    let jpeg = try JPEGBytes(sides.0, sides.1, options)
    let folder = try TestFolder()
    let picture = try Picture(folder.write(jpeg.bytes, as: "a.jpg"))
    for reduction in Reduction.allCases {
      let side = reduction.rawValue
      // By definition: every upright block, mapped to the file, has borders of stored blocks.
      let upright = picture.size
      let blocks = try [(0, 0), (upright.width / 2, upright.height / 2)].map { x, y in
        try PixelRegion(x: x, y: y, width: 1, height: 1)
          .holdingBlocks(of: side, in: upright)
      }
      let coincide = try blocks.allSatisfy { block in
        let stored = try picture.storedRegion(for: block)
        return stored == stored.holdingBlocks(of: side, in: picture.storedSize)
      }
      #expect(picture.hasUprightBlocks(of: reduction) == coincide, "\(sides) by \(side)")
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
