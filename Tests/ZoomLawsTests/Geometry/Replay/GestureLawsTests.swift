import Testing
import ZoomGeometry
import ZoomLaws

@Suite struct `Laws of gestures` {
  @Test(arguments: ZoomSystem.allCases)
  func `the corrected system keeps every law`(system: ZoomSystem) async {
    for law in GestureLaws.all(of: system) {
      await expectHeld(law, .corrected(system), cases: 40)
    }
  }

  @Test(arguments: ZoomSystem.allCases)
  func `the published system breaks no laws but those marked so`(system: ZoomSystem) async {
    // That it breaks all of them takes some hundred cases and an optimised build: ci/test has
    // `zoombench verify --original` say so.
    let laws = GestureLaws.all(of: system)
    let found = await broken(laws, .original(system), cases: 40)
    #expect(Set(found).isSubset(of: laws.filter(\.isBrokenAsPublished).map(\.name)))
  }
}
