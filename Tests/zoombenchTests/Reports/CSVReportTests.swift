import Measurement
import Testing

@testable import zoombench

@Suite struct CSVReportTests {
  /// Returns the rows after the first one, each as a dictionary by column name.
  private func records(_ report: BenchReport) throws -> [[String: String]] {
    let rows = try CSVParser.rows(CSVReport(report).rendered())
    let titles = try #require(rows.first)
    #expect(Set(titles).count == titles.count)
    return rows.dropFirst().map { row in
      #expect(row.count == titles.count)
      return Dictionary(zip(titles, row)) { first, _ in first }
    }
  }

  @Test func `there is a row for each source with its figures`() throws {
    let records = try records(SampleReport.make(rounds: 60, disagreeingIn: [1, 2]))
    #expect(records.map { $0["source"] } == ["naive", "other"])
    let other = try #require(records.last)
    #expect(other["picture"] == "forest")
    #expect(other["width"] == "1600")
    #expect(other["peek_scale"] == "2")
    #expect(other["state"] == "warm")
    #expect(other["rounds"] == "60")
    #expect(other["wall_p50_ns"].flatMap { Double($0) } == 2_000_000)
    #expect(other["wall_p95_ns"].flatMap { Double($0) } == 2_000_000)
    #expect(other["cpu_p50_ns"].flatMap { Double($0) } == 1_000_000)
    #expect(other["speedup"].flatMap { Double($0) } == 4)
    #expect(other["speedup_low"].flatMap { Double($0) } == 4)
    #expect(other["agreed"] == "58")
    #expect(other["disagreed"] == "2")
    #expect(other["peak_memory_bytes"] == "12345678")
  }

  @Test func `times over the floor are there where there is a floor`() throws {
    let records = try records(SampleReport.make(rounds: 60, floor: 500_000))
    #expect(records.map { $0["x_floor"].flatMap { Double($0) } } == [16, 4, 1])
    #expect(records.map { $0["x_floor_low"].flatMap { Double($0) } } == [16, 4, 1])
    #expect(records.map { $0["x_floor_high"].flatMap { Double($0) } } == [16, 4, 1])
    let without = try self.records(SampleReport.make(rounds: 60))
    #expect(without.allSatisfy { $0["x_floor"] == "" && $0["x_floor_high"] == "" })
  }

  @Test func `what is not known is an empty field`() throws {
    let other = try #require(try records(SampleReport.make(rounds: 3)).last)
    for column in ["wall_p95_ns", "wall_p99_ns", "speedup_low", "bytes_read", "unit"] {
      #expect(other[column] == "", "\(column)")
    }
  }

  @Test(arguments: [
    "a,b", "say \"x\"", "two\r\nlines", "line\nfeed", "\"", ",", "ü, \"日本\"", "a\"\u{301}b",
  ])
  func `a field comes back as it was, whatever stands in it`(name: String) throws {
    let records = try records(SampleReport.make(picture: name))
    #expect(records.map { $0["picture"] } == [name, name])
  }

  @Test func `what could not be measured has a row that says why`() throws {
    var report = try SampleReport.make()
    report.unmeasured = [.init(picture: "broken", reason: "broken.jpg: no picture")]
    report.groups[0].failures = [.init(source: "mine", reason: "it crashed")]
    let rows = try records(report)
    #expect(rows.map { $0["problem"] } == ["", "", "it crashed", "broken.jpg: no picture"])
    #expect(rows.map { $0["source"] } == ["naive", "other", "mine", ""])
    #expect(rows.map { $0["picture"] } == ["forest", "forest", "forest", "broken"])
  }

  @Test func `plain fields stand without quotes`() throws {
    #expect(!CSVReport(try SampleReport.make()).rendered().contains("\""))
  }
}
