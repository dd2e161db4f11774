import Testing

@testable import zoombench

@Suite struct BenchSummaryTests {
  private static func report(_ format: (Int) -> String = { $0 < 4 ? "JPEG" : "PNG" }) -> RunResult {
    var result = Samples.bench(pictures: (1...7).map { "\($0).jpg" }, rounds: 5)
    for index in result.pictures.indices { result.pictures[index].format = format(index) }
    result.judge()
    return result
  }

  private static func line(
    _ contender: String, _ format: String, in result: RunResult
  ) throws -> BenchSummary {
    try #require(result.summary?.first { $0.contender == contender && $0.format == format })
  }

  @Test func `each format has a line for each source, and one is the best`() throws {
    let summary = try #require(Self.report().summary)
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
    var result = Self.report()
    let first = result.rows[0].group
    result.rows.removeAll { $0.group == first && $0.contender == "partial" }
    result.groups[first ?? ""]?.refusals = [.init(source: "random", reason: "no")]
    result.addFailure(of: "partial", "it crashed")
    #expect(try Self.line("partial", "JPEG", in: result).failed == 1)
    #expect(try Self.line("random", "JPEG", in: result).refused == 1)
    let summary = try #require(result.summary)
    #expect(summary.filter(\.best).map(\.contender) == ["resident", "partial"])
  }

  @Test func `a picture far from the median of its format stands out`() throws {
    var result = Self.report()
    for index in result.rows.indices
    where (result.rows[index].picture, result.rows[index].contender) == ("2.jpg", "partial") {
      result.rows[index].wall = [[UInt64](repeating: 900_000_000, count: 5)]
    }
    result.judge()
    let line = try Self.line("partial", "JPEG", in: result)
    #expect(line.standsOut.count == 1 && line.standsOut[0].hasPrefix("2.jpg: partial gains 0."))
    #expect(try Self.line("partial", "PNG", in: result).standsOut.isEmpty)
  }

  @Test func `with seven pictures of a format, the interval has a level`() throws {
    let result = Self.report { _ in "JPEG" }
    let gain = try #require(try Self.line("partial", "JPEG", in: result).gain)
    #expect(gain.pairs == 7 && (gain.level ?? 0) >= 0.98)
    // The table sums up; JSON and the page have the single figures.
    let table = TableWriter.rendered(result)
    #expect(table.contains("best") && !table.contains("px/px  "))
  }
}
