import Testing
import ZoomGeometry

@testable import ZoomPipeline

struct PixelSizeJPEGBlocksTests {
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
