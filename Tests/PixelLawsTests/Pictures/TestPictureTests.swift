import PropertyTesting
import Testing
import ZoomGeometry
@testable import ZoomPipeline

@testable import PixelLaws

@Suite struct TestPictureTests {
  @Test func `every pixel of noise identifies its place`() {
    for depth in TestPicture.SampleDepth.allCases {
      let pixels = painted(60, 40, depth)
      let length = 3 * pixels.format.byteCount
      let colours = Set((0..<2400).map { Array(pixels.bytes[$0 * length..<($0 + 1) * length]) })
      // Of 2400 draws from 2^24 colours, two are equal in one of six pictures.
      #expect(colours.count >= 2398)
    }
  }

  @Test func `contents that are raised leave room above`() {
    for content in [TestPicture.Motif.gradient, .waves] {
      for bands in [1, 3, 4] {
        let pixels = painted(97, 95, bands: bands, .eight, content)
        #expect(pixels.bytes.max() ?? 0 <= 232 && pixels.bytes.min() ?? 0 >= 10)
      }
    }
  }

  @Test(arguments: Orientation.allCases)
  func `the plain turning of pixels is that of the sources`(_ orientation: Orientation) {
    let stored = painted(7, 4, bands: 4, .sixteen)
    #expect(stored.upright(from: orientation).hasSameBytes(as: stored.seen(through: orientation)))
  }

  @Test(arguments: Orientation.allCases)
  func `a region is turned as its pixels are`(_ orientation: Orientation) {
    let stored = painted(11, 6)
    let region = PixelRegion.checked(2, 1, 5, 3)
    let there = region.seen(through: orientation, of: stored.size)
    let turned = stored.seen(through: orientation)
    #expect(turned.cut(there).hasSameBytes(as: stored.cut(region).seen(through: orientation)))
    #expect(there.seen(through: orientation.inverse, of: turned.size) == region)
  }

  @Test func `a change of a picture changes its size and its pixels`() {
    let picture = TestPicture(size: size(5, 3))
    let padded = picture.changed(.padded(left: 2, top: 1))
    #expect(padded.storedSize == size(7, 4))
    #expect(
      padded.storedPixels().cut(.checked(2, 1, 5, 3)).hasSameBytes(as: picture.storedPixels()))
    let turned = picture.changed(.symmetry(.right))
    #expect(turned.storedSize == size(3, 5) && turned.storedPixels().size == size(3, 5))
  }

  @Test func `means of blocks are rounded to the nearest, parts of blocks included`() {
    let levels = pixels(.uint8, [0, 1, 9, 1, 0, 10, 7, 8, 255] as [UInt8], width: 3)
    #expect(levels.meanOfBlocks(2)?.bytes == [1, 10, 8, 255])
    #expect(levels.meanOfBlocks(8)?.bytes == [32])
  }

  @Test func `the file has the size, tag, bands and pixels that were drawn`() async throws {
    let files = PictureFiles()
    let report = await Property.check(
      "written", Gen<TestPicture>.testPictures(), settings: PropertySettings(cases: 120, seed: 3)
    ) { picture, testCase in
      let file = try files.file(of: picture)
      let header = try Picture(file.path)
      try Property.require(header.storedSize == picture.storedSize, "it is \(header.storedSize)")
      try Property.require(
        header.orientation == picture.orientation, "its tag is \(header.orientation)")
      try Property.require(header.bands == picture.bands, "it has \(header.bands) bands")
      testCase.classify(picture.orientation.swapsAxes, as: "turned", atLeast: 0.1)
      testCase.classify(picture.depth == .sixteen, as: "16 bit", atLeast: 0.1)
      testCase.classify(!picture.container.isLossless, as: "JPEG", atLeast: 0.2)
      guard let upright = file.upright else { return }
      let read = try NaivePipeline().open(file.path)
        .read(RegionRequest(PixelRegion(whole: header.size))).pixels
      try Property.require(PixelComparison(read, expected: upright).isSame, "its pixels are others")
    }
    #expect(report.verdict == .passed, "\(report.failures.first?.message ?? "")")
  }

  @Test func `a container that cannot hold a picture refuses it`() throws {
    let size = size(4, 4)
    let files = PictureFiles()
    for picture in [
      TestPicture(size: size, orientation: .right, container: .png),
      TestPicture(size: size, container: .tiledTIFF(20)),
      TestPicture(size: size, depth: .sixteen, container: PictureContainer.Kind.jpeg.sample),
    ] {
      let error = #expect(throws: PipelineError.self) { try files.file(of: picture) }
      #expect(error?.code == .unsupported)
    }
  }
}
