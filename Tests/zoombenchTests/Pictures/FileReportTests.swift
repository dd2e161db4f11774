import Foundation
import Testing

@testable import zoombench

@Suite struct FileReportTests {
  private func written(
    _ action: FileAction, _ format: ResultFormat, _ results: [FileResult]
  ) throws -> (text: String, conclusion: Conclusion) {
    var text = ""
    var report = try FileReport(action, format) { text += $0 }
    for (index, result) in results.enumerated() {
      try report.add(Row(result, named: "\"rows\":[],\(index)"))
    }
    let conclusion = try report.end()
    return (text, conclusion)
  }

  @Test(arguments: [FileAction.inspect, .build], [0, 1, 500])
  func `a result that is written row by row is read as one of all rows`(
    action: FileAction, count: Int
  ) throws {
    let file = Row.File(kind: "PNG", source: "partial", width: 9, height: 9, bytes: 99)
    let word: Word = action == .inspect ? .readable : .indexed
    var results = [FileResult](repeating: FileResult(word, file), count: count)
    results.append(FileResult(unreadable: "it is empty"))
    let (text, conclusion) = try written(action, .json, results)
    let result = try ResultFile.result(named: "x", content: Data(text.utf8))
    #expect(result.rows.count == results.count)
    #expect(conclusion.exitCode == 65 && conclusion.tally["refused"] == 1)
    #expect(result.conclusion.exitCode == 65 && result.conclusion.tally == conclusion.tally)
    #expect(result.kinds?.map(\.pictures) == (action == .build ? nil : count == 0 ? [] : [count]))
  }

  @Test func `a table has a bounded number of rows, and the numbers of the rest`() throws {
    let results =
      [FileResult](repeating: FileResult(.current), count: 1000)
      + [FileResult](repeating: FileResult(unreadable: "it is empty"), count: 10_100)
    let (text, conclusion) = try written(.check, .table, results)
    #expect(conclusion.exitCode == 65)
    #expect(text.contains("and 10,900 files more") && text.contains("and 100 more"))
    #expect(text.split(separator: "\n").count < 10_250)
  }

  @Test(arguments: [-1, .max])
  func `an impossible number is refused`(number: Int) throws {
    let (text, _) = try written(.inspect, .json, [FileResult(.readable, Row.File(width: number))])
    #expect(throws: Failure.self) {
      try ResultFile.result(named: "x", content: Data(text.utf8))
    }
  }
}
