import Foundation
import Measurement
import Testing

@testable import zoombench

/// Laws of every export, on results of any kind; `ci/check-exports` has parsers of others read them.
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

  /// Whether a word of the text is what a number that is none is written as.
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
    // A page carries the raw data along, whose numbers are as they were.
    let shown = text.firstRange(of: "<script").map { text[..<$0.lowerBound] } ?? text[...]
    #expect(!Self.hasNoNumber(shown))
    // 0.30000000000000004 has 17 digits behind its point; rounded ones below one have at most 13.
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
    #expect(smaller.count == measured)
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
