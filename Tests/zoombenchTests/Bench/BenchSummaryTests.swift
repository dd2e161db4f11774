import Testing

@testable import zoombench

@Suite struct BenchSummaryTests {
  private static let names = (1...7).map { "\($0).jpg" }

  private static func report() throws -> BenchReport {
    var report = try Samples.bench(pictures: names, rounds: 5)
    for index in report.pictures.indices {
      report.pictures[index].format = index < 4 ? "JPEG" : "PNG"
    }
    return report
  }

  private static func line(
    _ contender: String, _ format: String, in report: BenchReport
  ) throws -> BenchSummary {
    let summary = try #require(RunResult(report).summary)
    return try #require(summary.first { $0.contender == contender && $0.format == format })
  }

  @Test func `each format has a line for each source, and one is the best`() throws {
    let summary = try #require(RunResult(try Self.report()).summary)
    #expect(summary.map(\.format) == ["JPEG", "PNG"].flatMap { [$0, $0, $0, $0] })
    #expect(summary.filter(\.best).map(\.contender) == ["partial", "partial"])
    for line in summary {
      #expect(line.pictures == (line.format == "JPEG" ? 4 : 3) && line.failed == 0)
      let gain = try #require(line.gain)
      #expect((gain.lower ?? .infinity) <= gain.ratio && gain.ratio <= (gain.upper ?? 0))
      // Too few pictures for an interval.
      #expect(gain.level == nil)
    }
  }

  @Test func `a source that fails at a picture is not the best, and a refusal is counted`() throws {
    var report = try Self.report()
    let last = report.groups[0].arms.count - 1
    report.groups[0].arms.remove(at: last)
    report.groups[0].failures = [.init(source: "partial", reason: "it crashed")]
    report.groups[0].refusals = [.init(source: "random", reason: "no")]
    #expect(try Self.line("partial", "JPEG", in: report).failed == 1)
    #expect(try Self.line("random", "JPEG", in: report).refused == 1)
    let summary = try #require(RunResult(report).summary)
    #expect(summary.filter(\.best).map(\.contender) == ["resident", "partial"])
  }

  @Test func `a picture far from the median of its format stands out`() throws {
    var report = try Self.report()
    for index in report.groups.indices where report.groups[index].picture == "2.jpg" {
      let last = report.groups[index].arms.count - 1
      report.groups[index].arms[last].wall = [[UInt64](repeating: 900_000_000, count: 5)]
    }
    let line = try Self.line("partial", "JPEG", in: report)
    #expect(line.standsOut.count == 1 && line.standsOut[0].hasPrefix("2.jpg: partial gains 0."))
    #expect(try Self.line("partial", "PNG", in: report).standsOut.isEmpty)
  }

  @Test func `with seven pictures of a format, the interval has a level`() throws {
    var report = try Self.report()
    for index in report.pictures.indices { report.pictures[index].format = "JPEG" }
    let gain = try #require(try Self.line("partial", "JPEG", in: report).gain)
    #expect(gain.pairs == 7 && (gain.level ?? 0) >= 0.98)
    // The table sums up; JSON and the page have the single figures.
    let table = TableWriter.rendered(RunResult(report))
    #expect(table.contains("best") && !table.contains("px/px  "))
  }
}
