import Testing

@testable import zoombench

/// Times relative to the floor in reports of a benchmark.
@Suite struct FloorExportTests {
  private func input(floor: UInt64?) throws -> ReportInput {
    let report = try SampleReport.make(rounds: 60, floor: floor)
    return ReportInput(files: [.init(name: "r.json", result: .bench(report))])
  }

  @Test func `a summary has them beside the times over naive`() throws {
    let rows = MarkdownExport.rendered(try input(floor: 250_000)).split(separator: "\n")
    let titles = try #require(rows.first { $0.hasPrefix("| case") })
    #expect(titles.contains("| × naive | × floor |"))
    #expect(rows.contains { $0.contains("/other") && $0.contains("| 4.00 [4.00, 4.00] | 8.00 [") })
    let without = MarkdownExport.rendered(try input(floor: nil)).split(separator: "\n")
    #expect(without.contains { $0.contains("/other") && $0.contains("| 4.00 [4.00, 4.00] | – |") })
  }

  @Test func `CSV has them in columns of their own, empty without a floor`() throws {
    func column(_ floor: UInt64?) throws -> [Double?] {
      let rows = try CSVParser.rows(CSVExport.rendered(try input(floor: floor)))
      let place = try #require(rows.first?.firstIndex(of: "x_floor"))
      return rows.dropFirst().map { Double($0[place]) }
    }
    #expect(try column(250_000) == [32, 8, 1])
    #expect(try column(nil) == [nil, nil])
  }

  @Test func `OpenMetrics, JUnit and custom-smaller-is-better have them, where there is a floor`()
    throws
  {
    let (with, without) = (try input(floor: 250_000), try input(floor: nil))
    #expect(
      OpenMetricsExport.rendered(with).contains(/zoombench_floor_ratio\{case=".*other"\} 8\b/))
    #expect(JUnit(with).rendered().contains(/x_floor" value="8(\.0)?"/))
    #expect(try SmallerIsBetterExport.rendered(with).contains("× floor: 8"))
    for text in [
      OpenMetricsExport.rendered(without), JUnit(without).rendered(),
      try SmallerIsBetterExport.rendered(without),
    ] { #expect(!text.contains("floor")) }
  }

  @Test func `a page has them in its table`() throws {
    let text = try ReportPage(try input(floor: 250_000)).rendered()
    #expect(text.contains("<th scope=\"col\">× floor</th>"))
    #expect(text.contains("data-label=\"× floor\" data-sort=\"8\""))
  }
}
