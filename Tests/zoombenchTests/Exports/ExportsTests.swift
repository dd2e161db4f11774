import Foundation
import Measurement
import Testing

@testable import zoombench

/// Laws of every export on arbitrary results; `ci/check-exports` checks them with foreign parsers.
@Suite struct ExportsTests {
  static func input(seed: UInt64) throws -> ReportInput {
    let pictures = SampleResults.hostileNames.prefix(2).map {
      SampleResults.SamplePicture(name: $0, width: 900, height: 700)
    }
    return ReportInput(files: [
      .init(
        name: SampleResults.hostileNames[Int(seed) % 9],
        result: .comparison(try SampleResults.hostile(seed: seed, cases: 25))),
      .init(
        name: "bench",
        result: .bench(
          try SampleResults.bench(
            seed: seed, pictures: pictures, sources: ["naive", "a\"\u{0301}b"], rounds: 5,
            disagreements: Int(seed) % 2))),
    ])
  }

  /// Whether the text contains a word such as NaN or Infinity.
  static func hasNoNumber(_ text: some StringProtocol) -> Bool {
    let words = text.utf8.split { !(65...90).contains($0) && !(97...122).contains($0) }
    let others: Set = ["NaN", "nan", "inf", "Infinity", "infinity"]
    return words.contains { $0.count <= 8 && others.contains(String(decoding: $0, as: UTF8.self)) }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>, ReportFormat.allCases)
  func `no export says NaN or infinity, nor has a number of many digits`(
    seed: UInt64, format: ReportFormat
  ) throws {
    let text = try format.rendered(try Self.input(seed: seed))
    // A page also contains the raw data, whose numbers are not rounded.
    let shown = text.firstRange(of: "<script").map { text[..<$0.lowerBound] } ?? text[...]
    #expect(!Self.hasNoNumber(shown))
    // 0.30000000000000004 has 17 decimals; rounded numbers below one have at most 13.
    var run = 0
    var longest = 0
    var isFraction = false
    for byte in shown.utf8 {
      if (48...57).contains(byte) {
        run += 1
        if isFraction { longest = max(longest, run) }
      } else {
        isFraction = byte == UInt8(ascii: ".") && run > 0
        run = 0
      }
    }
    #expect(longest <= 13)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `names differ, stand on one line and are not empty`(seed: UInt64) throws {
    let input = try Self.input(seed: seed)
    let names = ExportedCase.all(of: input).map(\.name)
    #expect(names.count == input.files.map(\.caseCount).reduce(0, +))
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(!name.allSatisfy { $0.isWhitespace })
      #expect(!name.contains { $0.isNewline })
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `every format that lists cases lists all of them`(seed: UInt64) throws {
    let input = try Self.input(seed: seed)
    let cases = ExportedCase.all(of: input)
    let xml = try XMLElements.counts(in: JUnit(input).rendered())
    #expect(xml["testcase"] == cases.count)
    #expect(xml["testsuite"] == input.files.count)
    let rows = CSVExport.rendered(input).unicodeScalars.split(separator: "\r").count - 1
    #expect(rows >= cases.count)
    let table = MarkdownExport.rendered(input).split(separator: "\n").filter { $0.hasPrefix("| ") }
    // Two lines of each table are its head; a bench has one table, a comparison at most two.
    #expect((4...6).contains(table.count - cases.count))
    let measured = cases.filter { $0.isGated && ExportedMedian($0.wall) != nil }.count
    func object(_ text: String) throws -> Any {
      try JSONSerialization.jsonObject(with: Data(text.utf8))
    }
    let smaller = try #require(try object(SmallerIsBetterExport.rendered(input)) as? [Any])
    let unmeasured = cases.count { $0.outcome.word == "unmeasured" }
    #expect(smaller.count == measured + min(1, unmeasured))
    #expect(xml["error"] ?? 0 == unmeasured)
  }

  @Test(arguments: ReportFormat.allCases)
  func `a picture that could not be measured is named`(format: ReportFormat) throws {
    let report = try SampleResults.bench(pictures: [], rounds: 3)
    let text = try format.rendered(.init(files: [.init(name: "run", result: .bench(report))]))
    #expect(text.contains("broken.jpg"))
  }

  @Test(arguments: [ReportFormat.markdown, .csv, .junit])
  func `a source that refuses a picture in one state has a row`(format: ReportFormat) throws {
    var report = try SampleReport.make()
    var cold = report.groups[0]
    cold.state = .cold
    cold.arms.removeLast()
    cold.refusals = [
      .init(source: "other", reason: "too large"), .init(source: "never", reason: ""),
    ]
    report.groups.append(cold)
    let text = try format.rendered(.init(files: [.init(name: "run", result: .bench(report))]))
    let name = "forest, 375 pt @2, cold/other"
    #expect(text.contains(format == .markdown ? MarkdownExport.cell(name) : name))
    #expect(text.contains("too large"))
    #expect(!text.contains("cold/never"))
    let rows = try CSVParser.rows(CSVReport(report).rendered())
    #expect(rows.map { $0.last } == ["problem", "", "", "", "too large"])
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `line formats have one record a line`(seed: UInt64) throws {
    let input = try Self.input(seed: seed)
    let metrics = OpenMetricsExport.rendered(input)
    #expect(metrics.hasSuffix("\n# EOF\n"))
    for line in metrics.split(separator: "\n") {
      #expect(
        line.wholeMatch(of: /# (TYPE|UNIT|HELP|EOF).*|zoombench_\w+\{.*\} -?[\d.e+-]+/) != nil,
        "\(line)")
    }
    for line in AnnotationsExport.rendered(input).split(separator: "\n") {
      #expect(line.firstMatch(of: /^::(error|warning|notice) title=/) != nil, "\(line)")
    }
  }
}

extension ExportsTests {
  private func comparison(cases: Int) throws -> ReportInput {
    let effects = (0..<cases).map { SampleResults.Effect(name: "case \($0)", launches: 1) }
    return ReportInput(files: [
      .init(name: "x", result: .comparison(try SampleResults.comparison(effects: effects)))
    ])
  }

  @Test(arguments: [600, 1000, 4000, 20_000])
  func `a summary stays below its limit and counts what is left out`(limit: Int) throws {
    let text = MarkdownExport.rendered(try comparison(cases: 100), limit: limit)
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

extension ExportsTests {
  private func lines(_ effects: [SampleResults.Effect], contamination: [String] = []) throws
    -> [Substring]
  {
    let result = try SampleResults.comparison(effects: effects, contamination: contamination)
    let input = ReportInput(files: [.init(name: "x", result: .comparison(result))])
    return AnnotationsExport.rendered(input).split(separator: "\n")
  }

  @Test(arguments: [0, 1, 9, 10, 11, 40])
  func `there are at most ten, and the last counts the others`(count: Int) throws {
    let effects = (0..<count).map { SampleResults.Effect(name: "case \($0)", factor: 1.2) }
    let lines = try lines(effects).filter { $0.hasPrefix("::error ") }
    #expect(lines.count == min(10, count))
    if count > 10 { #expect(lines.last?.contains("\(count - 9) more") == true) }
  }

  @Test func `a finding is an error, what cannot be told a warning or a notice`() throws {
    func kinds(_ lines: [Substring]) -> [Substring] { lines.map { $0.prefix { $0 != " " } } }
    let slow = SampleResults.Effect(name: "slow", factor: 1.2)
    let noisy = SampleResults.Effect(name: "noise", noise: 0.3)
    #expect(try lines([.init(name: "same"), .init(name: "faster", factor: 0.8)]).isEmpty)
    #expect(try kinds(lines([slow])) == ["::error"])
    #expect(try kinds(lines([.init(name: "pixels", differing: [3])])) == ["::error"])
    #expect(try kinds(lines([slow], contamination: ["x"])) == ["::warning"])
    #expect(try kinds(lines([noisy])) == ["::warning"])
    #expect(try kinds(lines([noisy, .init(name: "same")])) == ["::notice"])
  }

  @Test func `what would end a command is escaped`() {
    #expect(AnnotationsExport.data("100 %\r\n::x") == "100 %25%0D%0A::x")
    #expect(AnnotationsExport.property("a:b,c%\n") == "a%3Ab%2Cc%25%0A")
    #expect(AnnotationsExport.property(":\u{0301}") == "%3A\u{0301}")
  }
}
