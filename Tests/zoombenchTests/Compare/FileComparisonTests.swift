import Measurement
import Testing

@testable import zoombench

@Suite struct FileComparisonTests {
  private func compared(
    _ base: [CaseComparison], _ candidate: [CaseComparison], otherBase: String? = "b000"
  ) -> FileComparison {
    FileComparison(
      base: .comparison(HandmadeComparison.result(base)),
      candidate: .comparison(HandmadeComparison.result(candidate, base: otherBase)),
      settings: GateSettings())
  }

  @Test func `two ratios to the same base give the ratio of the candidates`() throws {
    let row = try #require(
      compared([HandmadeComparison.peek(ratio: 1.1)], [HandmadeComparison.peek(ratio: 1.32)]).rows
        .first)
    #expect(abs(try #require(row.change) - 1.2) < 1e-4)
    #expect(row.finding == .differs)
  }

  @Test func `equal runs agree`() {
    let rows = compared([HandmadeComparison.peek()], [HandmadeComparison.peek()]).rows
    #expect(rows.map(\.finding) == [.agrees])
  }

  @Test func `runs with different bases say nothing about time, but counters stay exact`() {
    let comparison = compared(
      [HandmadeComparison.peek(ratio: 1, base: ["n": 1], candidate: ["n": 1])],
      [HandmadeComparison.peek(ratio: 2, base: ["n": 1], candidate: ["n": 3])], otherBase: "other")
    #expect(comparison.rows.map(\.change) == [nil])
    #expect(comparison.rows.flatMap(\.counters).map(\.description) == ["n rose from 1 to 3"])
    #expect(comparison.caveats.contains { $0.contains("different bases") })
  }

  @Test func `peaks of memory of two files are not held against each other`() {
    let comparison = compared(
      [
        HandmadeComparison.peek(base: ["peak memory": 1 << 20], candidate: ["peak memory": 1 << 25])
      ],
      [HandmadeComparison.peek(base: ["peak memory": 1 << 20], candidate: ["peak memory": 1 << 26])]
    )
    #expect(comparison.rows.flatMap(\.counters).isEmpty)
  }

  @Test func `unlike machines are not compared`() {
    var other = HandmadeComparison.result([HandmadeComparison.peek(ratio: 2)])
    other.machine.cpuModel = "another"
    let comparison = FileComparison(
      base: .comparison(HandmadeComparison.result([HandmadeComparison.peek()])),
      candidate: .comparison(other), settings: GateSettings())
    #expect(comparison.rows.map(\.change) == [nil])
    #expect(comparison.caveats.contains { $0.contains("unlike") })
  }

  @Test func `only cases that both have are rows`() {
    let rows = compared(
      [HandmadeComparison.peek("a"), HandmadeComparison.peek("b")],
      [HandmadeComparison.peek("b"), HandmadeComparison.peek("c")]
    ).rows
    #expect(rows.map(\.name) == ["b"])
  }
}
