import PropertyTesting
import Testing
import ZoomGeometry
import ZoomPipeline

@testable import PixelLaws

@Suite struct TestPictureWritingTests {
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
