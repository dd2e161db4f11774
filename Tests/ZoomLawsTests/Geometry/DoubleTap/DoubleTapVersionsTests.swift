import PropertyTesting
import Testing
import ZoomLaws

/// The versions of the published double tap, each with the laws it breaks besides those that the
/// last one breaks.
@Suite struct DoubleTapVersionsTests {
  private func broken(by subject: DoubleTapSubject) async -> Set<String> {
    var broken: Set<String> = []
    for law in DoubleTapLaws.all where !law.isBrokenAsPublished {
      if await law.check(subject, settings: .laws).verdict == .broken { broken.insert(law.name) }
    }
    return broken
  }

  @Test func `DT-B1: the first version misses the tap, and asks for a rectangle of another shape`()
    async
  {
    #expect(await broken(by: .firstVersion) == ["DT-P5", "DT-P7", "DT-P8r", "DT-P9"])
  }

  @Test func `DT 4.2: without the term the tap is missed and mirroring does not mirror`() async {
    #expect(await broken(by: .withoutTerm) == ["DT-P5", "DT-P8r"])
  }

  @Test func `DT-B2: at four times the term is wrong where the largest zoom is in the way`() async {
    #expect(await broken(by: .fourTimes) == ["DT-P5", "DT-P8r"])
  }

  @Test(arguments: [DoubleTapSubject.firstVersion, .withoutTerm, .fourTimes].indices)
  func `the miss is found by chance and made small`(index: Int) async throws {
    let subject = [DoubleTapSubject.firstVersion, .withoutTerm, .fourTimes][index]
    let law = try #require(DoubleTapLaws.all.first { $0.name == "DT-P5" })
    await expectBroken(law, subject)
  }
}
