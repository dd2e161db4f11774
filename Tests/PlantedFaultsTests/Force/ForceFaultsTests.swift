import Testing
import ZoomLaws

@Suite struct `Faults of force` {
  @Test func `every fault is found by a law`() async {
    let survivors = await survivors(
      ForceFaults.all, in: .corrected, ForceLaws.all, cases: 60)
    #expect(survivors.isEmpty)
  }

  @Test func `no two faults have a name in common`() {
    #expect(Set(ForceFaults.all.map(\.name)).count == ForceFaults.all.count)
  }
}
