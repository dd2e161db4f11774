import Foundation
import Measurement
import Testing

@testable import zoombench

/// Laws of every writer on arbitrary results; `ci/check-exports` checks them with foreign parsers.
@Suite struct WritersTests {
  static let rounded: [ReportFormat] = [.table, .markdown, .annotations, .junit, .csv]
  static let formats = rounded + [.json]

  static func input(seed: UInt64) throws -> ReportInput {
    let name = Samples.hostileNames[Int(seed) % 9]
    return ReportInput(
      files: try Samples.hostileResults(seed: seed).map { .init(name: name, result: $0) })
  }

  private static func input(of count: Int, _ verdict: Verdict) -> ReportInput {
    let cases = (0..<count).map { Samples.peek("case \($0)", verdict: verdict) }
    return ReportInput(Samples.result(cases: cases))
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>, rounded)
  func `no format says NaN or infinity, nor has a number of many digits`(
    seed: UInt64, format: ReportFormat
  ) throws {
    let text = try format.rendered(try Self.input(seed: seed))
    let words = text.split { !$0.isLetter }
    #expect(Set(words).isDisjoint(with: ["NaN", "nan", "inf", "Infinity", "infinity"]))
    // 0.30000000000000004 has 17 decimals; rounded numbers below one have at most 13.
    #expect(text.firstMatch(of: /\d\.\d{14}/) == nil)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `names are unique, on one line and not empty`(seed: UInt64) throws {
    let names = try Self.input(seed: seed).files.flatMap(\.result.rows).map(\.name)
    #expect(Set(names).count == names.count && names.count > 30)
    #expect(!names.contains { $0.allSatisfy(\.isWhitespace) || $0.contains(where: \.isNewline) })
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `every row is in every format`(seed: UInt64) throws {
    let input = try Self.input(seed: seed)
    let rows = input.files.flatMap(\.result.rows)
    let xml = try XMLElements.counts(in: JUnitWriter.rendered(input))
    #expect(xml["testcase"] == rows.count && xml["testsuite"] == input.files.count)
    for (element, standing) in [
      ("failure", Standing.failed), ("skipped", .undecided), ("error", .unmeasured),
    ] {
      #expect(xml[element] ?? 0 == rows.count { $0.verdict.standing == standing })
    }
    let records = try CSVParser.rows(CSVWriter.rendered(input))
    #expect(Set(records.map(\.count)).count == 1)
    #expect(records.dropFirst().map { $0[2] } == rows.map(\.name))
    let lines = MarkdownWriter.rendered(input).split(separator: "\n").filter { $0.hasPrefix("| ") }
    let heads = lines.count { $0.hasPrefix("| :--") }
    // Pictures without samples are not in tables but in the lines below.
    #expect(lines.count - 2 * heads == rows.count { $0.verdict.word != .unmeasured })
  }

  @Test(arguments: formats)
  func `a picture that could not be measured is named`(format: ReportFormat) throws {
    let result = Samples.bench(pictures: [], rounds: 3)
    #expect(try format.rendered(ReportInput(result)).contains("broken.jpg"))
  }

  @Test(arguments: [ReportFormat.table, .markdown, .csv, .junit])
  func `a source that refuses a picture in one state has a row`(format: ReportFormat) throws {
    var result = Samples.report()
    var cold = try #require(result.groups.values.first)
    cold.state = .cold
    cold.refusals = [.init(source: "other", reason: "too big"), .init(source: "never", reason: "")]
    result.groups["forest/\(cold.condition)"] = cold
    result.rows.append(Samples.row("naive", nanoseconds: 8_000_000, rounds: 3, in: cold))
    result.addRefusals(of: "forest")
    result.judge()
    let row = try #require(result.rows.last)
    #expect(row.name == "forest/other/750x750/cold" && row.verdict.word == .refused)
    #expect(!result.rows.contains { $0.contender == "never" })
    let text = try format.rendered(ReportInput(result))
    #expect(text.contains("too big"))
    #expect(text.contains("refused") == (format != .junit))
  }
}

/// Single formats.
extension WritersTests {
  @Test(arguments: [600, 1000, 2000, 4000, 20_000])
  func `a summary stays below its limit and counts what is left out`(limit: Int) {
    let text = MarkdownWriter.rendered(Self.input(of: 100, .inconclusive), limit: limit)
    #expect(text.utf8.count <= limit && MarkdownWriter.limit < 1 << 20)
    let rows = text.split(separator: "\n").count { $0.firstMatch(of: /^\| case \d/) != nil }
    #expect(text.contains("_\(100 - rows) of 100 rows are left out") == (rows < 100))
    // A picture that could not be measured is a line and not a row.
    let lines = ReportInput(Samples.bench(pictures: [], rounds: 3))
    #expect(MarkdownWriter.rendered(lines, limit: 200).hasPrefix("_The last lines are left out"))
  }

  @Test(arguments: [0, 1, 9, 10, 11, 40])
  func `there are at most ten annotations, and the last counts the others`(count: Int) {
    let lines = AnnotationsWriter.rendered(Self.input(of: count, .slower))
      .split(separator: "\n").filter { $0.hasPrefix("::error ") }
    #expect(lines.count == min(10, count))
    if count > 10 { #expect(lines.last?.contains("\(count - 9) more") == true) }
  }

  @Test(arguments: Samples.hostileNames)
  func `no name ends the text that contains it`(name: String) throws {
    // By scalars, because as a character, a quote with a combining mark does not equal a quote.
    for scalar in Escape.xml(name).unicodeScalars {
      #expect(!"<>\"'".unicodeScalars.contains(scalar) && scalar.value >= 0x20)
    }
    #expect(!Escape.command(name).contains { $0.isNewline })
    #expect(try CSVParser.rows("\(Escape.csv(name)),x\r\n") == [[name, "x"]])
  }

  @Test func `markup and the ends of commands are escaped`() {
    #expect(Escape.xml("\"\u{0301}\n") == "&quot;\u{0301}&#10;")
    #expect(Escape.markdown("a|b<c>`d`") == "a\\|b\\<c\\>\\`d\\`")
    #expect(Escape.markdown("x\ny") == "x\\\\ny")
    #expect(Escape.command("100 %\r\n::x") == "100 %25%0D%0A::x")
    #expect(Escape.property("a:b,c%\n:\u{0301}") == "a%3Ab%2Cc%25%0A%3A\u{0301}")
    #expect(Escape.csv("plain") == "plain")
  }

  @Test func `CSV has known numbers in their columns, and nothing where a number is unknown`()
    throws
  {
    let result = Samples.report(rounds: 60, differing: 2, floor: 250_000)
    let rows = try CSVParser.rows(CSVWriter.rendered(ReportInput(result)))
    let record = Dictionary(zip(rows[0], rows[2])) { first, _ in first }
    #expect(record.count == rows[0].count)
    for (column, text) in [
      ("contender", "other"), ("verdict", "pixels differ"), ("standing", "failed"),
      ("samples", "60"), ("wall_p50_ns", "2000000"), ("wall_p95_ns", "2000000"),
      ("cpu_p50_ns", "1000000"), ("gain", "4"), ("gain_low", "4"), ("x_floor", "8"),
      ("answers", "60"), ("answers_agreed", "58"), ("peak_memory_bytes", "12345678"),
      ("wall_p99_ns", ""), ("bytes_read", ""), ("cpu_change", ""),
    ] {
      #expect(record[column] == text, "\(column)")
    }
  }

  @Test func `JUnit has the breaches of a law, and figures as properties`() throws {
    let law = Samples.law("FZ-P2", verdict: .broken, breaches: [Samples.breach()])
    let text = JUnitWriter.rendered(ReportInput(Samples.laws([law])))
    let failure = try XMLElements.all(in: text).first { $0.name == "failure" }
    #expect(failure?.attributes["message"] == "the crop ends 187.5 px past the right edge")
    #expect(text.contains("zoombench verify --law FZ-P1 --replay zt1-abc"))
    let bench = JUnitWriter.rendered(ReportInput(Samples.report(rounds: 60, floor: 250_000)))
    #expect(bench.contains("forest/other/750x750/warm: x_floor\" value=\"8\""))
  }
}
