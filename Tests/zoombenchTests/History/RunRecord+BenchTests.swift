import MeasurementHistory
import Testing

@testable import zoombench

@Suite struct RunRecordBenchTests {
  private static func record(_ report: BenchReport) throws -> RunRecord {
    try RunRecord(RunResult(report), revision: RunRecord.Revision(commit: "measured"))
  }

  @Test func `each source is a case, against naive in the same rounds`() throws {
    let run = try Self.record(Samples.report(rounds: 8))
    #expect(run.problem == nil)
    #expect(run.cases.map(\.name) == ["forest/other/750x750/warm"])
    let item = try #require(run.cases.first)
    #expect(item.cpuToControl == RunRecord.Ratio(value: 0.25, lower: 0.25, upper: 0.25))
    #expect(item.wallToControl?.value == 0.25)
    #expect(item.cpuToBaseline == nil && run.baseline == nil)
    #expect(item.counters == ["pixels decoded in 8 rounds of seed 7": 600])
    #expect(item.wallNanoseconds == [[UInt64](repeating: 2_000_000, count: 8)])
    #expect(run.contamination.isEmpty)
  }

  @Test func `the floor is nobody's case, and changes no other's`() throws {
    let without = try Self.record(Samples.report(rounds: 8))
    let with = try Self.record(Samples.report(rounds: 8, floor: 1_000_000))
    #expect(with.cases == without.cases)
  }

  @Test func `answers that differ contaminate the run`() throws {
    let run = try Self.record(Samples.report(disagreeingIn: [1]))
    #expect(run.contamination == ["1 of 3 answers differ from naive's pixels"])
  }
}
