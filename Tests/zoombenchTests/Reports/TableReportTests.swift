import Measurement
import Testing

@testable import zoombench

@Suite struct TableReportTests {
  private func line(of source: String, in text: String) throws -> [Substring] {
    let line = text.split(separator: "\n").first {
      $0.trimmingPrefix { $0 == " " }.hasPrefix(source)
    }
    return try #require(line).split(separator: " ")
  }

  @Test func `a source's line has its median, its ratio and how often it agreed`() throws {
    let text = TableReport(try SampleReport.make(rounds: 60)).rendered()
    let other = try line(of: "other", in: text)
    #expect(other.contains("2.00"))
    #expect(other.contains("4.00"))
    #expect(other.contains("4.00…4.00"))
    #expect(other.last == "60/60")
    #expect(try line(of: "naive", in: text).last == "reference")
  }

  @Test func `times over the floor stand in a column of their own where there is a floor`() throws {
    let report = TableReport(try SampleReport.make(rounds: 60, floor: 250_000))
    for text in [report.rendered(), report.markdown()] {
      #expect(text.contains("x floor"))
      #expect(text.contains("libjpeg-turbo alone"))
    }
    let other = try line(of: "other", in: report.rendered())
    #expect(other.contains("8.00") && other.contains("8.00…8.00"))
    #expect(try line(of: "floor", in: report.rendered()).contains("1.00…1.00"))
    let without = TableReport(try SampleReport.make(rounds: 60)).rendered()
    #expect(!without.contains("floor"))
  }

  @Test func `too few rounds show no percentile, and a note says why`() throws {
    let few = TableReport(try SampleReport.make(rounds: 3)).rendered()
    #expect(try line(of: "other", in: few).filter { $0 == Substring(Format.nothing) }.count >= 3)
    #expect(few.contains("--rounds"))
    let many = TableReport(try SampleReport.make(rounds: 300)).rendered()
    #expect(!many.contains("--rounds"))
  }

  @Test func `a disagreement shows in the source's line and at the end`() throws {
    let text = TableReport(try SampleReport.make(rounds: 3, disagreeingIn: [1])).rendered()
    #expect(try line(of: "other", in: text).suffix(2) == ["2/3", "NO"])
    #expect(text.contains("1 of 3 answers"))
    #expect(!text.contains("All 3 answers"))
  }

  @Test func `a program that failed is not counted among the answers that differ`() throws {
    var report = try SampleReport.make(rounds: 3)
    report.groups[0].failures = [BenchReport.Refusal(source: "mine", reason: "it did not start")]
    let text = TableReport(report).rendered()
    #expect(text.contains("mine FAILED and could not be compared"))
    #expect(text.contains("mine FAILED (warm): it did not start"))
    #expect(text.contains("All 3 answers that were compared agree") && !text.contains("DIFFER"))
    let error = #expect(throws: Failure.self) { try BenchCommand.judge(report) }
    #expect(error?.status == .finding)
    #expect(error?.description == "mine failed and could not be compared")
  }

  @Test func `the words of a column are explained only where they occur`() throws {
    var report = try SampleReport.make(rounds: 3)
    report.groups[0].arms[1].alike = BenchReport.Likeness()
    #expect(!TableReport(report).rendered().contains("alike: "))
    report.groups[0].arms[1].alike?.count = 2
    #expect(TableReport(report).rendered().contains("alike: "))
  }

  @Test func `agreement of all is said at the end with the count`() throws {
    let report = try SampleReport.make(rounds: 3)
    for text in [TableReport(report).rendered(), TableReport(report).markdown()] {
      #expect(text.contains("All 3 answers agree"))
      #expect(!text.contains("NO"))
    }
  }

  @Test func `a source that cannot read the picture is named with the reason`() throws {
    let refusal = BenchReport.Refusal(source: "partial", reason: "there is a reason")
    let report = try SampleReport.make(refusals: [refusal])
    for text in [TableReport(report).rendered(), TableReport(report).markdown()] {
      let lines = text.split(separator: "\n").filter { $0.contains("there is a reason") }
      #expect(lines.count == 1)
      #expect(lines.allSatisfy { $0.contains("partial") })
    }
  }

  @Test func `only a debug build is noted`() throws {
    let debug = TableReport(try SampleReport.make(build: .debug)).rendered()
    #expect(debug.contains("DEBUG"))
    #expect(debug.contains("-c release"))
    #expect(!TableReport(try SampleReport.make(build: .release)).rendered().contains("DEBUG"))
  }

  @Test func `markdown has a table under each heading`() throws {
    let text = TableReport(try SampleReport.make()).markdown()
    #expect(text.contains("### forest\n"))
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }
    // Titles, alignment and two sources.
    #expect(rows.count == 4)
    #expect(Set(rows.map { $0.split(separator: "|").count }).count == 1)
  }
}
