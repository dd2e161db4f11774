import Testing
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
}
