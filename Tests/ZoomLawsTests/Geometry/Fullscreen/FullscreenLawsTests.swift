import Testing
import ZoomLaws

@Suite struct `Laws of full screen` {
  @Test(arguments: FullscreenLaws.all.indices)
  func `the corrected controller keeps every law`(law: Int) async {
    await expectHeld(FullscreenLaws.all[law], .corrected, cases: 1000)
  }

  @Test func `the published controller breaks exactly the laws marked so`() async {
    let marked = FullscreenLaws.all.filter(\.isBrokenAsPublished).map(\.name)
    let found = await broken(FullscreenLaws.all, .original, cases: 1000)
    #expect(found == marked)
  }
}
