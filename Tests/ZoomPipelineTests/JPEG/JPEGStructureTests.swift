import SystemPackage
import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry

@testable import ZoomPipeline

struct JPEGStructureTests {
  @Test func `MCUs cover the picture and no more, partial ones included`() throws {
    let folder = try TestFolder()
    let samplings: [([JPEGEncoding.Sampling], Int, Int)] = [
      (JPEGEncoding.Sampling.yCbCr444, 8, 8), (JPEGEncoding.Sampling.yCbCr422, 16, 8),
      (JPEGEncoding.Sampling.yCbCr440, 8, 16), (JPEGEncoding.Sampling.yCbCr420, 16, 16),
      (JPEGEncoding.Sampling.yCbCr411, 32, 8), (JPEGEncoding.Sampling.yCbCr410, 32, 16),
    ]
    for (sampling, width, height) in samplings {
      for side in [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65] {
        let options = JPEGEncoding(sampling: sampling)
        let path = try folder.write(
          try JPEGBytes(side, side + 5, options).bytes, as: "a.jpg")
        let jpeg = try JPEGStructure(of: path)
        #expect(jpeg.mcuSize == (width, height))
        #expect((jpeg.mcusPerRow - 1) * width < side && side <= jpeg.mcusPerRow * width)
        #expect((jpeg.mcuRows - 1) * height < side + 5 && side + 5 <= jpeg.mcuRows * height)
        #expect(jpeg.mcuCount == jpeg.mcusPerRow * jpeg.mcuRows)
      }
    }
  }

  /// A scan of one component is not interleaved, so its MCU is one block (T.81, A.2.2).
  @Test(arguments: [(1, 1), (2, 2), (4, 1), (1, 3)])
  func `one component has MCUs of one block, whatever its factors`(_ h: Int, _ v: Int) throws {
    let options = JPEGEncoding(
      colour: .gray, sampling: [JPEGEncoding.Sampling(h, v)])
    let folder = try TestFolder()
    let path = try folder.write(try JPEGBytes(33, 17, options).bytes, as: "a.jpg")
    let jpeg = try JPEGStructure(of: path)
    #expect(jpeg.mcuSize == (8, 8))
    #expect(jpeg.mcuCount == 5 * 3)
    #expect(jpeg.samplingName == "grey")
    #expect(jpeg.components.map { [$0.horizontal, $0.vertical] } == [[h, v]])
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
    let header = JPEGBytes(jpeg.decoderHeader)
    #expect(header.places(of: 0xE1).isEmpty)
    #expect(header.places(of: 0xEE).count == 1)
    let height = jpeg.decoderHeader[jpeg.heightOffset...].prefix(2)
    #expect(Array(height) == [0, 50])
    let bare = try folder.write(
      jpeg.decoderHeader + made.bytes[jpeg.codedStart...], as: "bare.jpg")
    // The same pixels without orientation.
    options.metadata.orientation = nil
    let plain = try folder.write(try JPEGBytes(70, 50, options).bytes, as: "plain.jpg")
    #expect(try Reference(bare).pixels.difference(from: Reference(plain).pixels) == nil)
  }

  @Test func `a size whose whole blocks libjpeg would refuse has none`() throws {
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
