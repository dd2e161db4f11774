import Testing
import ZoomLaws

@Suite struct `Faults of full screen` {
  @Test func `every fault is found by a law`() async {
    let survivors = await survivors(
      FullscreenFaults.all, in: .corrected, FullscreenLaws.all, cases: 300)
    #expect(survivors.isEmpty)
  }

  @Test func `no two faults have a name in common`() {
    #expect(Set(FullscreenFaults.all.map(\.name)).count == FullscreenFaults.all.count)
  }
}
