import TestSupport
import Testing
import ZoomCorpus
import ZoomGeometry
import ZoomLaws
import ZoomPipeline

@testable import PixelLaws

@Suite struct ColourLawsTests {
  @Test func `sources that convert keep the laws, and the law of profiles reaches its classes`()
    async throws
  {
    let subject = try PixelSubject(SequentialPipeline().converting(to: .p3))
    let names = subject.laws.map(\.name)
    #expect(names.contains("PX-31") && !names.contains("PX-25"))
    await expectUnbroken([PictureLaws.profile], held: true, on: subject, cases: 20)
    await expectUnbroken(subject.laws, on: subject, cases: 3)
    let stored = try PixelSubject(SequentialPipeline())
    #expect(!stored.laws.contains { $0.name == "PX-31" })
  }

  /// djpeg with and without smoothing of chroma differs by up to 6.9 by CIEDE2000, on average of a
  /// picture; with a fast inverse transform by 2 in 7x7 pixels of quality 100, by 7.1 in one of them.
  @Test func `programs are asked for whole pictures of 16 pixels or more, with full chroma`() throws
  {
    let coarse = JPEGEncoding(sampling: JPEGEncoding.Sampling.yCbCr420, quality: 100)
    let picture = TestPicture(
      size: size(7, 20), orientation: .right, container: .jpeg(coarse))
    let pixel = RegionRequest(.checked(3, 2, 1, 1), turn: .half)
    let asked = PictureLaws.smooth(.init(picture: picture, request: pixel))
    let full = coarse.with(\.sampling, JPEGEncoding.Sampling.yCbCr444).with(\.quality, 90)
    #expect(asked.picture.container == .jpeg(full) && asked.picture.content == .gradient)
    #expect(asked.picture.size == size(16, 20))
    #expect(asked.request == RegionRequest(.checked(0, 0, 20, 16), turn: .half))
  }
}
