import Testing
import ZoomLaws

@Suite struct `Laws of the transition` {
  @Test(arguments: TransitionLaws.all.indices)
  func `the corrected form keeps every law`(law: Int) async {
    await expectHeld(TransitionLaws.all[law], .corrected, cases: 1000)
  }

  @Test func `the published form breaks exactly the laws marked so`() async {
    let marked = TransitionLaws.all.filter(\.isBrokenAsPublished).map(\.name)
    let found = await broken(TransitionLaws.all, .original, cases: 1000)
    #expect(found == marked)
  }
}
