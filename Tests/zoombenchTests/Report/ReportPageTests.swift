import Foundation
import Measurement
import Testing

@testable import zoombench

@Suite struct ReportPageTests {
  private func page(_ results: [ResultFile], _ history: [SeriesReport] = []) throws
    -> String
  {
    try ReportPage(
      ReportInput(
        files: results.enumerated().map { .init(name: "r\($0.offset).json", result: $0.element) },
        history: history)
    ).rendered()
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `a page has every case once, runs no string of a user and asks for nothing`(
    seed: UInt64
  ) throws {
    let result = try SampleResults.hostile(seed: seed, cases: 30)
    let text = try page(
      [.comparison(result)], SampleResults.history(names: SampleResults.hostileNames))
    let rows = text.matches(of: /<tr><th scope="row">/).count
    #expect(rows == result.cases.count + result.onlyInBase.count)
    #expect(text.matches(of: /<script/).count == 2)
    #expect(text.matches(of: /<\/script>/).count == 2)
    #expect(text.matches(of: /<img|<iframe|<link|@import|url\(/).count == 1)
    #expect(text.matches(of: /\s(?:src|href)="[^#"]*"/).map { $0.output } == [" href=\"data:,\""])
    #expect(!ExportsTests.hasNoNumber(text))
  }

  @Test func `the verdict comes first, with the margins`() throws {
    let text = try page([.comparison(try SampleResults.comparison())])
    let banner = try #require(text.firstRange(of: "Slower: 1 of 6 cases"))
    let margins = try #require(text.firstRange(of: "Changes up to 1 % are never"))
    let table = try #require(text.firstRange(of: "<tbody>"))
    #expect(banner.lowerBound < margins.lowerBound && margins.lowerBound < table.lowerBound)
  }

  @Test func `the tails of wall time stand with the case, in the page and in the summary`() throws {
    var result = try SampleResults.comparison(effects: [.init(name: "peek", launches: 8)])
    let without = try page([.comparison(result)])
    #expect(!without.contains("p95 of wall time"))
    let launches = result.cases[0].launches
    let tails = try TailLatency(of: launches, clock: .wall, seed: 1)
    result.cases[0].tails = tails
    let p95 = try #require(tails.p95)
    let shown = Format.change(p95.ratio)
    #expect(shown.contains("[") && shown.contains(Format.change(p95.ratio.upper)))
    let text = try page([.comparison(result)])
    #expect(
      text.contains(
        "p95 of wall time \(Format.duration(p95.base.value)) → "
          + "\(Format.duration(p95.candidate.value)), \(shown)"))
    // 160 pairs are too few for a 99th percentile.
    #expect(!text.contains("p99 of wall time"))
    let summary = MarkdownExport.rendered(
      ReportInput(files: [.init(name: "r.json", result: .comparison(result))]))
    #expect(summary.contains(" | of its p95 | of its p99 | "))
    #expect(summary.contains(" | \(shown) | \(Format.nothing) | "))
  }

  @Test func `a contaminated run has no other verdict in its headline`() throws {
    let result = try SampleResults.comparison(contamination: ["the A/A check moved by 4 %"])
    let text = try page([.comparison(result)])
    #expect(text.contains("<strong>Contaminated: no time of this run counts</strong>"))
    #expect(text.contains("the A/A check moved by 4 %"))
  }

  @Test func `whatever is put in, a page stays below two megabytes and says what is left out`()
    throws
  {
    let effects = (0..<450).map { index in
      SampleResults.Effect(
        name: "\(index) \(String(repeating: "<&\"\u{0301}", count: 200))", launches: 1)
    }
    let large = try SampleResults.comparison(effects: effects)
    let names = (0..<400).map { "\($0) \(String(repeating: "x", count: 500))" }
    let text = try page(
      Array(repeating: .comparison(large), count: 2), SampleResults.history(names: names))
    #expect(text.utf8.count < PageBudget.pageLimit)
    #expect(text.contains("row of a case: left out"))
    #expect(text.contains("result files have"))
  }

  @Test func `the raw data comes back as it was`() throws {
    let result = try SampleResults.hostile(seed: 2, cases: 20)
    let text = try page([.comparison(result)])
    let start = try #require(text.firstRange(of: "id=\"data\">")).upperBound
    let end = try #require(text[start...].firstRange(of: "</script>")).lowerBound
    struct Content: Decodable {
      var thinning: Int
      var comparisons: [BuildComparison]
    }
    let content = try JSONDecoder().decode(Content.self, from: Data(text[start..<end].utf8))
    let isEqual = content.comparisons == [result]
    #expect(content.thinning == 1 && isEqual)
  }

  @Test(arguments: [40_000, 100_000, 300_000, 3_000_000])
  func `raw data is thinned to its limit and stays readable`(limit: Int) throws {
    let result = try SampleResults.comparison()
    let bench = try SampleResults.bench(rounds: 120)
    let input = ReportInput(files: [
      .init(name: "a", result: .comparison(result)), .init(name: "b", result: .bench(bench)),
    ])
    let data = PageData(input, limit: limit)
    #expect(data.json.utf8.count <= limit)
    #expect(!data.json.unicodeScalars.contains("<"))
    #expect((limit == 3_000_000) == data.note.contains("Every sample"))
    _ = try JSONSerialization.jsonObject(with: Data(data.json.utf8), options: .fragmentsAllowed)
  }
}
