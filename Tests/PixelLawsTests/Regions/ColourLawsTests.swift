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
  /// picture.
  @Test func `colours of lossy pictures do not depend on how a decoder smooths chroma`() throws {
    let size = try PixelSize(width: 8, height: 4)
    let coarse = JPEGEncoding(sampling: JPEGEncoding.Sampling.yCbCr420, quality: 90)
    let picture = TestPicture(size: size, container: .jpeg(coarse))
    let full = coarse.with(\.sampling, JPEGEncoding.Sampling.yCbCr444)
    let asked = PictureLaws.smooth(.whole(picture))
    #expect(asked.picture.container == .jpeg(full) && asked.picture.content == .gradient)
  }
}
