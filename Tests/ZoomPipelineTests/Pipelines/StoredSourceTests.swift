import PixelLaws
import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

struct StoredSourceTests {
  /// Both sides of 64x40 have whole blocks, one side of 64x41 and 65x40, neither side of 331x205.
  @Test(arguments: Orientation.allCases, [(64, 40), (64, 41), (65, 40), (331, 205)])
  func `stored blocks are upright blocks where each reversed side holds whole ones`(
    _ orientation: Orientation, _ sides: (Int, Int)
  ) throws {
    let picture = try Self.picture(orientation, sides)
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

  /// At 160x96 every orientation may use the decoder's reduction, which must be turned upright.
  @Test(arguments: Orientation.allCases)
  func `a decoder's reduction is turned upright as its pixels are`(
    _ orientation: Orientation
  ) throws {
    let folder = try TestFolder()
    let jpeg = try Self.jpeg(orientation, (160, 96))
    let path = try folder.write(jpeg.bytes, as: "a.jpg")
    for reduction in Reduction.real {
      let whole = try jpeg.reduced(by: reduction).upright(from: orientation)
      for pipeline in [IndexedPipeline(), SequentialPipeline()] as [any Pipeline] {
        let source = try pipeline.open(path)
        for region in try ReductionTests.regions(of: source.size, reduction) {
          let answer = try source.read(RegionRequest(region, reduction: reduction))
          #expect(answer.resampling == .decoder)
          let wanted = whole.crop(region.reduced(by: reduction.rawValue))
          let difference = answer.pixels.difference(from: wanted)
          #expect(difference == nil, "\(pipeline.name) \(region) by \(reduction.rawValue)")
        }
      }
    }
  }

  // MARK: Helpers

  private static func jpeg(
    _ orientation: Orientation, _ sides: (Int, Int)
  ) throws -> JPEGBytes {
    let options = JPEGEncoding(quality: 85).with(\.metadata.orientation, orientation.rawValue)
    return try JPEGBytes(sides.0, sides.1, options)
  }

  private static func picture(
    _ orientation: Orientation, _ sides: (Int, Int)
  ) throws -> Picture {
    let folder = try TestFolder()
    return try Picture(folder.write(try jpeg(orientation, sides).bytes, as: "a.jpg"))
  }
}
