import Measurement
import Testing

@testable import zoombench

@Suite struct CounterChangeTests {
  @Test(
    arguments: [
      (1000, 1001, ["bytes read rose from 1,000 to 1,001"]),
      (1000, 999, ["bytes read fell from 1,000 to 999"]), (1000, 1000, []),
    ] as [(Int, Int, [String])])
  func `a steady count that both builds have and that differs is a change`(
    base: Int, candidate: Int, changes: [String]
  ) {
    let counters = CaseComparison.Counters(
      base: ["bytes read": base, "allocations": 5, "old": 1],
      candidate: ["bytes read": candidate, "allocations": 50, "new": 2],
      unsteady: ["allocations"])
    #expect(CounterChange.all(in: counters).map(\.description) == changes)
  }
}
