import Foundation
import Measurement
import Testing

@testable import zoombench

@Suite struct ReportInputTests {
  private func read(_ text: String) throws -> ReportInput.File {
    let result = try ResultFile(name: "x.json", content: Data(text.utf8))
    return ReportInput.File(name: "x.json", result: result)
  }

  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder.report.encode(value), as: UTF8.self)
  }

  @Test func `results are told apart by their schema`() throws {
    let comparison = try read(try json(try SampleResults.comparison()))
    let bench = try read(try json(try SampleResults.bench(rounds: 3)))
    #expect(comparison.caseCount == SampleResults.usual.count)
    #expect(bench.caseCount == 4 * 2 * 2 * 5 + 1)
  }

  @Test(
    arguments: [
      "", "null", "[]", "{}", "no JSON", "{\"schema\":7}", "{\"schema\":\"other/1\"}", "\u{0}",
      "{\"schema\":\"zoombench.bench/1\"}",
      "{\"schema\":\"zoombench.compare/1\"}", "{\"schema\":\"zoombench.bench/1\",\"groups\":[]}",
      "{\"schema\":\"zoombench.compare/2\"}",
    ])
  func `what is no result is refused with 65 and the file's name`(text: String) {
    do {
      _ = try read(text)
      Issue.record("it was taken")
    } catch let failure as Failure {
      #expect(failure.status == .badInput)
      #expect(failure.description.hasPrefix("x.json: "))
      if text.hasSuffix("compare/2\"}") {
        #expect(failure.description.contains("zoombench.compare/2"))
      }
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func `a result of verify is refused with the way to a page`() throws {
    let report = try json(SampleVerifyReport.report([SampleVerifyReport.row("FZ-P1")]))
    let error = #expect(throws: Failure.self) { try read(report) }
    #expect(error?.status == .badInput)
    #expect(error?.description.contains("use verify --format page") == true)
  }

  @Test func `a result that contradicts itself is refused`() throws {
    var unequal = try SampleResults.comparison()
    unequal.cases[0].launches[0].base.cpuNanoseconds.removeLast()
    var negative = try SampleResults.comparison()
    negative.cases[1].cpu.ratio = -1
    var idle = try SampleResults.comparison()
    idle.cases[2].launches[0].repeats = 0
    var reversed = try SampleResults.comparison()
    reversed.cases[0].tails = try JSONDecoder().decode(
      TailLatency.self,
      from: Data(
        """
        {"repeats":1,"p95":{"fraction":0.95,"base":{"value":1},"candidate":{"value":1},
        "ratio":{"value":1,"lower":2,"upper":0.5}}}
        """.utf8))
    for result in [unequal, negative, idle, reversed] {
      let text = try json(result)
      #expect(throws: Failure.self) { try read(text) }
    }
    var short = try SampleResults.bench(rounds: 3)
    short.groups[1].arms[0].wallNanoseconds.removeLast()
    var foreign = try SampleResults.bench(rounds: 3)
    foreign.pictures.removeFirst()
    for report in [short, foreign] {
      let text = try json(report)
      #expect(throws: Failure.self) { try read(text) }
    }
  }

  @Test func `a file without an end is not read to it`() {
    let failure = #expect(throws: Failure.self) { try ResultFile.contents(of: "/dev/zero") }
    #expect(failure?.status == .badInput)
  }

  @Test func `a missing file is no input`() {
    do {
      _ = try ReportInput.read(["/nonexistent/x.json"])
      Issue.record("it was read")
    } catch {
      #expect((error as? Failure)?.status == .noInput)
    }
  }
}
