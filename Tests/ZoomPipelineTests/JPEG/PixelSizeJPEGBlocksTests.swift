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
    let size = try PixelSize(width: 8, height: 65_497)
    #expect(try size.ofWholeJPEGBlocks(.quarter) == PixelSize(width: 8, height: 65_500))
    #expect(size.ofWholeJPEGBlocks(.eighth) == nil)
  }
}
