import ArgumentParser
import Foundation
import Measurement
import SystemPackage
import Testing

@testable import zoombench

/// The command `report`, and the files that it reads.
@Suite struct ReportTests {
  private func read(_ text: String) throws -> RunResult {
    try ResultFile.result(named: "x.json", content: Data(text.utf8))
  }

  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder.report.encode(value), as: UTF8.self)
  }

  /// Returns results with plain names and with hostile ones.
  private static func results() throws -> [RunResult] {
    let laws = Samples.laws([Samples.law("FZ-P1")], strict: true)
    return [try Samples.comparison(), laws] + (try Samples.hostileResults(seed: 3))
  }

  @Test(arguments: 0..<5)
  func `a result is read as it was written`(index: Int) throws {
    let text = try json(Self.results()[index])
    #expect(try json(read(text)) == text)
  }

  @Test(arguments: 0..<5)
  func `a file that claims another verdict is judged by its samples`(index: Int) throws {
    let result = try Self.results()[index]
    var claimed = result
    claimed.conclusion = Conclusion()
    for row in claimed.rows.indices { claimed.rows[row].figures.p50 = 1 }
    for row in claimed.rows.indices where claimed.rows[row].verdict.word.standing == .passed {
      claimed.rows[row].verdict.standing = .failed
      claimed.rows[row].figures = Row.Figures()
    }
    let text = try json(claimed)
    #expect(try json(read(text)) == json(result))
  }

  @Test(
    arguments: [
      "", "null", "[]", "{}", "no JSON", "{\"schema\":7}", "{\"schema\":\"other/1\"}", "\u{0}",
      "{\"schema\":\"zoombench.bench/1\"}", "{\"schema\":\"zoombench.result/1\"}",
      "{\"schema\":\"zoombench.result/1\",\"kind\":\"bench\"}",
    ])
  func `a file that is not a result is refused with 65 and its name`(text: String) {
    let error = #expect(throws: Failure.self) { try read(text) }
    #expect(error?.status == .badInput)
    #expect(error?.description.hasPrefix("x.json: ") == true)
    if text.contains("bench/1") { #expect(error?.description.contains("measure again") == true) }
  }

  @Test func `results that contradict themselves are refused`() throws {
    let compare = try Samples.comparison()
    let bench = Samples.report()
    let laws = Samples.laws([Samples.law("FZ-P1")])
    let tails = try JSONDecoder().decode(
      TailLatency.self,
      from: Data(
        #"{"p95":{"ratio":1,"interval":{"lower":2,"upper":0.5,"coverage":0.95}}}"#.utf8))
    let changes: [(RunResult, (inout RunResult) -> Void)] = [
      (compare, { $0.rows[0].comparison?.launches[0].base.cpuNanoseconds = [] }),
      (compare, { $0.rows[1].comparison?.cpu.ratio = -1 }),
      (compare, { $0.rows[2].comparison?.launches[0].repeats = 0 }),
      (compare, { $0.rows[0].comparison?.tails = tails }),
      (compare, { $0.contenders.removeLast() }),
      (bench, { $0.rows[1].wall[0].removeLast() }), (bench, { $0.pictures.removeFirst() }),
      (bench, { $0.pictures[0].width = 0 }), (bench, { $0.groups = [:] }),
      (bench, { $0.rows[0].bench?.agreed = .max }), (bench, { $0.rows[0].bench = nil }),
      (bench, { $0.rows[0].counters["bytes read"] = -1 }),
      (laws, { $0.rows[0].law?.cases = .max }),
    ]
    for (result, change) in changes {
      var broken = result
      change(&broken)
      let text = try json(broken)
      #expect(throws: Failure.self) { try read(text) }
    }
  }

  @Test(arguments: WritersTests.formats)
  func `every format is written`(format: ReportFormat) async throws {
    let folder = try TestFolder()
    try folder.write(try JSONEncoder.report.encode(Self.results()[0]), to: "r.json")
    let target = folder.file("report").string
    let command = try ReportCommand.parse(
      [folder.file("r.json").string, "-o", target, "--format", format.rawValue])
    try await command.run()
    let text = String(decoding: try folder.bytes(of: "report"), as: UTF8.self)
    // Not hasSuffix, because CR LF is one character.
    #expect(text.utf8.last == UInt8(ascii: "\n") && text.contains("forest"))
  }
}
