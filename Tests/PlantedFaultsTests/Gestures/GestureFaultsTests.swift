import Testing
import ZoomGeometry
import ZoomLaws

@Suite struct `Faults of gestures` {
  // That every fault is found takes an optimised build: ci/test has `zoombench verify --faults`.
  @Test(arguments: [ZoomSystem.transition, .force])
  func `the first faults are found by a law`(system: ZoomSystem) async {
    let survivors = await survivors(
      Array(GestureFaults.all(of: system).prefix(4)), in: .corrected(system),
      GestureLaws.all(of: system), cases: 40)
    #expect(survivors.isEmpty)
  }

  @Test(arguments: ZoomSystem.allCases)
  func `no two faults have a name in common`(system: ZoomSystem) {
    let names = GestureFaults.all(of: system).map(\.name)
    #expect(Set(names).count == names.count)
  }
}
