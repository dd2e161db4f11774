import PropertyTesting
import Testing
import ZoomLaws

@Suite struct PeekLawsTests {
  private static let names = PeekLaws.all.map(\.name)

  private func law(_ name: String) throws -> Law<PeekSubject> {
    try #require(PeekLaws.all.first { $0.name == name })
  }

  @Test func `names are unique`() {
    #expect(Set(Self.names).count == Self.names.count)
  }

  @Test(arguments: names)
  func `the corrected form keeps every law`(name: String) async throws {
    await expectHeld(try law(name), .corrected)
  }

  @Test(arguments: names)
  func `the published peek breaks exactly the laws that are marked`(name: String) async throws {
    let law = try law(name)
    if law.isBrokenAsPublished {
      await expectBroken(law, .original)
    } else {
      await expectHeld(law, .original)
    }
  }
}
