import Measurement
import Testing

@testable import zoombench

@Suite struct CounterChangeTests {
  private func changes(
    _ base: [String: Int], _ candidate: [String: Int], unsteady: [String] = []
  ) -> [String] {
    CounterChange.all(
      in: CaseComparison.Counters(base: base, candidate: candidate, unsteady: unsteady)
    ).map(\.description)
  }

  @Test func `one more is a rise and one fewer a fall`() {
    #expect(
      changes(["bytes read": 1000], ["bytes read": 1001])
        == ["bytes read rose from 1,000 to 1,001"])
    #expect(
      changes(["bytes read": 1000], ["bytes read": 999])
        == ["bytes read fell from 1,000 to 999"])
    #expect(changes(["bytes read": 1000], ["bytes read": 1000]).isEmpty)
  }

  @Test func `what differs between launches of one build says nothing`() {
    #expect(changes(["allocations": 5], ["allocations": 50], unsteady: ["allocations"]).isEmpty)
  }

  @Test func `a count that only one build has says nothing`() {
    #expect(changes(["old": 1], ["new": 2]).isEmpty)
  }
}
