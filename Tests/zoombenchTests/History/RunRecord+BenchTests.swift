import MeasurementHistory
import Testing

@testable import zoombench

@Suite struct RunRecordBenchTests {
  private static let revision = RunRecord.Revision(commit: "measured")

  @Test func `each source is a case, against naive in the same rounds`() throws {
    let run = try RunRecord(try SampleReport.make(rounds: 8), revision: Self.revision)
    #expect(run.problem == nil)
    #expect(run.cases.map(\.name) == ["forest 375 pt @2 warm other"])
    let item = try #require(run.cases.first)
    #expect(item.cpuToControl == RunRecord.Ratio(value: 0.25, lower: 0.25, upper: 0.25))
    #expect(item.wallToControl?.value == 0.25)
    #expect(item.cpuToBaseline == nil && run.baseline == nil)
    #expect(item.counters == ["pixels decoded in 8 rounds of seed 7": 4800])
    #expect(item.wallNanoseconds == [[UInt64](repeating: 2_000_000, count: 8)])
    #expect(run.contamination.isEmpty)
  }

  @Test func `the floor is nobody's case, and changes no other's`() throws {
    let without = try RunRecord(try SampleReport.make(rounds: 8), revision: Self.revision)
    let with = try RunRecord(
      try SampleReport.make(rounds: 8, floor: 1_000_000), revision: Self.revision)
    #expect(with.cases == without.cases)
  }

  @Test func `answers that differ contaminate the run`() throws {
    let run = try RunRecord(
      try SampleReport.make(disagreeingIn: [1]), revision: Self.revision)
    #expect(run.contamination == ["1 of 3 answers differ from naive's pixels"])
  }
}
