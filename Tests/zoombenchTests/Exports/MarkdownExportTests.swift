import Testing

@testable import zoombench

@Suite struct MarkdownExportTests {
  private func input(cases: Int) throws -> ReportInput {
    let effects = (0..<cases).map { SampleResults.Effect(name: "case \($0)", launches: 1) }
    return ReportInput(files: [
      .init(name: "x", result: .comparison(try SampleResults.comparison(effects: effects)))
    ])
  }

  @Test(arguments: [600, 1000, 4000, 20_000])
  func `a summary stays below its limit and counts what is left out`(limit: Int) throws {
    let text = MarkdownExport.rendered(try input(cases: 100), limit: limit)
    #expect(text.utf8.count <= limit)
    let rows = text.split(separator: "\n").count { $0.firstMatch(of: /^\| case \d/) != nil }
    if rows < 100 {
      #expect(text.contains("_\(100 - rows) of 100 rows are left out"))
    } else {
      #expect(!text.contains("left out"))
    }
  }

  @Test func `the limit is below GitHub's`() {
    #expect(MarkdownExport.limit < 1 << 20)
  }

  @Test func `what could be markup is escaped`() {
    #expect(MarkdownExport.cell("a|b<c>`d`") == "a\\|b\\<c\\>\\`d\\`")
    #expect(MarkdownExport.cell("x\ny") == "x\\\\ny")
  }
}
