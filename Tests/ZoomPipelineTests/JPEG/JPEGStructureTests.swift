import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

struct JPEGStructureTests {
  /// A scan of one component is not interleaved, so its MCU is one block (T.81, A.2.2).
  @Test(arguments: [
    ("4:4:4", 8, 8), ("4:2:2", 16, 8), ("4:4:0", 8, 16), ("4:2:0", 16, 16), ("4:1:1", 32, 8),
    ("4:1:0", 32, 16), ("grey", 8, 8), ("grey 2x2", 8, 8), ("grey 4x1", 8, 8), ("grey 1x3", 8, 8),
  ])
  func `MCUs cover the picture and no more, partial ones included`(
    _ name: String, _ width: Int, _ height: Int
  ) throws {
    let sampling = try #require(JPEGSampling.all.first { $0.testDescription == name })
    let folder = try TestFolder()
    for side in [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65] {
      let made = try JPEGBytes(side, side + 5, sampling.encoding())
      let jpeg = try JPEGStructure(of: folder.write(made.bytes, as: "a.jpg"))
      #expect(jpeg.mcuSize == (width, height))
      #expect((jpeg.mcusPerRow - 1) * width < side && side <= jpeg.mcusPerRow * width)
      #expect((jpeg.mcuRows - 1) * height < side + 5 && side + 5 <= jpeg.mcuRows * height)
      #expect(jpeg.samplingName == name.prefix(while: { $0 != " " }))
    }
  }

  @Test func `unusual samplings are named by their factors`() throws {
    let folder = try TestFolder()
    let jpeg = try JPEGBytes(20, 20, JPEGEncoding(sampling: JPEGEncoding.Sampling.yCbCr411))
    let path = try folder.write(
      jpeg.withSampling([.init(3, 1), .init(1, 1), .init(2, 1)]).bytes, as: "a.jpg")
    #expect(try JPEGStructure(of: path).samplingName == "3x1,1x1,2x1")
  }

  /// A window begins with this header, which must suffice for the data and contain nothing else.
  @Test func `the decoder's header decodes the data and leaves metadata out`() throws {
    var options = JPEGEncoding(colour: .rgbAdobe, quality: 85)
    options.metadata.orientation = 6
    options.metadata.xmp = JPEGEncoding.Metadata.sampleXMP
    let made = try JPEGBytes(70, 50, options)
    let folder = try TestFolder()
    let jpeg = try JPEGStructure(of: folder.write(made.bytes, as: "a.jpg"))
    let header = jpeg.header(width: 70, height: 50)
    #expect(JPEGBytes(header).places(of: 0xE1).isEmpty)
    #expect(JPEGBytes(header).places(of: 0xEE).count == 1)
    let bare = try folder.write(header + made.bytes[jpeg.codedStart...], as: "bare.jpg")
    // The same pixels without orientation.
    options.metadata.orientation = nil
    let plain = try folder.write(try JPEGBytes(70, 50, options).bytes, as: "plain.jpg")
    #expect(try Reference(bare).pixels.difference(from: Reference(plain).pixels) == nil)
  }

  @Test func `a size has no whole blocks if they exceed libjpeg's longest side`() throws {
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
