import Testing
import ZoomLaws

@Suite struct `Laws of force` {
  @Test(arguments: ForceLaws.all.indices)
  func `the corrected forms keep every law`(law: Int) async {
    await expectHeld(ForceLaws.all[law], .corrected, cases: 1000)
  }

  @Test func `the published forms break exactly the laws marked so`() async {
    let marked = ForceLaws.all.filter(\.isBrokenAsPublished).map(\.name)
    let found = await broken(ForceLaws.all, .original, cases: 1000)
    #expect(found == marked)
  }
}
