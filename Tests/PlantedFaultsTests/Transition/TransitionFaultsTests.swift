import Testing
import ZoomLaws

@Suite struct `Faults of the transition` {
  @Test func `every fault is found by a law`() async {
    let survivors = await survivors(
      TransitionFaults.all, in: .corrected, TransitionLaws.all, cases: 150)
    #expect(survivors.isEmpty)
  }

  @Test func `no two faults have a name in common`() {
    #expect(Set(TransitionFaults.all.map(\.name)).count == TransitionFaults.all.count)
  }
}
