import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct PixelSizeJPEGBlocksTests {
  @Test func `sides are rounded up to whole blocks`() throws {
    let size = try PixelSize(width: 199, height: 121)
    #expect(size.ofWholeJPEGBlocks(.none) == size)
    #expect(try size.ofWholeJPEGBlocks(.half) == PixelSize(width: 200, height: 122))
    #expect(try size.ofWholeJPEGBlocks(.quarter) == PixelSize(width: 200, height: 124))
    #expect(try size.ofWholeJPEGBlocks(.eighth) == PixelSize(width: 200, height: 128))
  }

  @Test func `a side that libjpeg would refuse gives none`() throws {
    for transposed in [false, true] {
      func size(_ short: Int, _ long: Int) throws -> PixelSize {
        let size = try PixelSize(width: short, height: long)
        return transposed ? size.transposed : size
      }
      #expect(try size(8, 65_497).ofWholeJPEGBlocks(.quarter) == size(8, 65_500))
      #expect(try size(8, 65_497).ofWholeJPEGBlocks(.eighth) == nil)
      #expect(try size(1, 65_500).ofWholeJPEGBlocks(.none) == size(1, 65_500))
      #expect(try size(1, 65_501).ofWholeJPEGBlocks(.none) == nil)
    }
  }
}
