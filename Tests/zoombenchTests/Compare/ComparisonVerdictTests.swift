import Foundation
import Measurement
import Testing

@testable import zoombench

/// The table of verdicts: every combination has one outcome in all outputs.
@Suite struct ComparisonVerdictTests {
  enum Counter: CaseIterable { case equal, fell, rose, allowedToRise }
  enum Contamination: CaseIterable { case none, stated }

  struct Row: CustomTestStringConvertible {
    var verdicts: [Verdict]
    var counter = Counter.equal
    var hasOtherPixels = false
    var contamination = Contamination.none
    var isMissing = false
    /// The conclusion from the times alone.
    var byTime: String

    var testDescription: String {
      "\(verdicts.map(\.rawValue)), counter \(counter), other pixels \(hasOtherPixels), "
        + "contamination \(contamination), missing \(isMissing)"
    }

    /// The expected conclusion, by an explicit order of precedence.
    var expected: String {
      if hasOtherPixels { return "pixels differ" }
      if isMissing { return "case missing" }
      if counter == .rose { return "counter rose" }
      return contamination == .none ? byTime : "contaminated"
    }

    var result: BuildComparison {
      let now = [Counter.equal: 10, .fell: 9, .rose: 11, .allowedToRise: 11][counter] ?? 10
      var cases = verdicts.enumerated().map { place, verdict in
        HandmadeComparison.peek(
          "case \(place)", ratio: [Verdict.slower: 1.1, .faster: 0.9][verdict] ?? 1,
          verdict: verdict,
          base: place == 0 ? ["work": 10] : [:], candidate: place == 0 ? ["work": now] : [:],
          differing: place == 0 && hasOtherPixels ? [3] : [])
      }
      cases.append(HandmadeComparison.peek("control", role: .control))
      var result = HandmadeComparison.result(
        cases, contamination: contamination == .stated ? ["the machine slept"] : [])
      if isMissing { result.onlyInBase = ["gone"] }
      if counter == .allowedToRise { result.allowedCounters = ["work"] }
      return result
    }
  }

  /// Every set of verdicts with its conclusion.
  static let byTime: [([Verdict], String)] = [
    ([], "inconclusive"),
    ([.same], "same"),
    ([.faster], "faster"),
    ([.faster, .same], "faster"),
    ([.inconclusive], "inconclusive"),
    ([.inconclusive, .inconclusive], "inconclusive"),
    ([.inconclusive, .same], "partly inconclusive"),
    ([.inconclusive, .faster], "partly inconclusive"),
    ([.inconclusive, .faster, .same], "partly inconclusive"),
    ([.slower], "slower"),
    ([.slower, .same], "slower"),
    ([.slower, .faster], "slower"),
    ([.slower, .faster, .same], "slower"),
    ([.slower, .inconclusive], "slower"),
    ([.slower, .inconclusive, .same], "slower"),
    ([.slower, .inconclusive, .faster], "slower"),
    ([.slower, .inconclusive, .faster, .same], "slower"),
  ]

  static let exitCodes: [String: (Int32, Int32)] = [
    "pixels differ": (1, 1), "case missing": (1, 1), "counter rose": (1, 1), "slower": (1, 1),
    "contaminated": (2, 2), "inconclusive": (2, 2), "partly inconclusive": (0, 2),
    "faster": (0, 0), "same": (0, 0),
  ]

  static let rows: [Row] = byTime.flatMap { verdicts, byTime in
    // Counters and pixels need a case.
    (verdicts.isEmpty ? [Counter.equal] : Counter.allCases).flatMap { counter in
      (verdicts.isEmpty ? [false] : [false, true]).flatMap { pixels in
        Contamination.allCases.flatMap { contamination in
          [false, true].map { isMissing in
            Row(
              verdicts: verdicts, counter: counter, hasOtherPixels: pixels,
              contamination: contamination, isMissing: isMissing, byTime: byTime)
          }
        }
      }
    }
  }

  private func exitCode(_ result: BuildComparison, strict: Bool) -> Int32 {
    do {
      try result.verdict.check(strict: strict)
      return 0
    } catch {
      return (error as? Failure)?.status.rawValue ?? -1
    }
  }

  @Test(arguments: rows)
  func `each combination has the outcome and the exit codes of the table`(row: Row) throws {
    let result = row.result
    #expect(result.verdict.conclusion.rawValue == row.expected)
    let codes = try #require(Self.exitCodes[row.expected])
    #expect(exitCode(result, strict: false) == codes.0)
    #expect(exitCode(result, strict: true) == codes.1)
  }

  /// The rows whose outputs are rendered: a selection that contains each conclusion.
  static let rendered = rows.filter { row in
    [[], [.same], [.faster, .same], [.inconclusive], [.inconclusive, .same]].contains(row.verdicts)
      || row.verdicts.count == 4
  }

  @Test(arguments: rendered)
  func `every output says the same`(row: Row) throws {
    let result = row.result
    let input = ReportInput(files: [.init(name: "r.json", result: .comparison(result))])
    let codes = try #require(Self.exitCodes[row.expected])
    let title = row.expected.prefix(1).uppercased() + row.expected.dropFirst() + ": "

    #expect(CompareTable(result).rendered().contains("\n\(title)"))
    #expect(try ReportPage(input).rendered().contains("<strong>\(title)"))
    let head = MarkdownExport.rendered(input).split(separator: "\n").first
    #expect(head?.hasSuffix(": \(row.expected)") == true)

    let junit = try gatedCases(JUnit(input).rendered())
    #expect(junit.contains("failure") == (codes.0 == 1))
    #expect(!junit.contains("passed") || codes.0 != 2)
    if codes.0 == 0 { #expect(junit.contains("skipped") == (codes.1 == 2)) }

    let annotations = AnnotationsExport.rendered(input)
    #expect(annotations.contains("::error ") == (codes.0 == 1))
    #expect(annotations.contains("::warning ") == (codes.0 == 2))
    #expect(annotations.contains("::notice ") == (codes.0 == 0 && codes.1 == 2))

    let records = try CSVParser.rows(CSVExport.rendered(input))
    let column = try #require(records.first?.firstIndex(of: "outcome"))
    let outcomes = Set(records.dropFirst().map { $0[column] })
    if row.expected == "partly inconclusive" {
      #expect(outcomes.contains("inconclusive"))
    } else if !row.verdicts.isEmpty || row.isMissing {
      #expect(outcomes.contains(row.expected))
    }

    for (strict, code) in [(false, codes.0), (true, codes.1)] {
      struct Head: Decodable {
        var outcome: String
        var exitCode: Int32
      }
      let json = try JSONEncoder.compact.encode(JudgedComparison(result, strict: strict))
      let written = try JSONDecoder().decode(Head.self, from: json)
      #expect(written.outcome == row.expected && written.exitCode == code)
      #expect(try JSONDecoder().decode(BuildComparison.self, from: json) == result)
    }
  }

  /// Returns the result of each gated test case: "passed", "failure" or "skipped".
  private func gatedCases(_ xml: String) throws -> [String] {
    let elements = try XMLElements.all(in: xml).filter {
      ["testcase", "failure", "skipped"].contains($0.name)
    }
    return elements.indices.compactMap { place in
      guard elements[place].attributes["classname"] == "zoombench.compare.gated" else {
        return nil
      }
      let next = elements.dropFirst(place + 1).first?.name ?? "testcase"
      return next == "testcase" ? "passed" : next
    }
  }

  private func failure(_ cases: [CaseComparison], strict: Bool = false) -> String? {
    do {
      try HandmadeComparison.result(cases).verdict.check(strict: strict)
      return nil
    } catch {
      return (error as? Failure)?.description
    }
  }

  @Test func `the slowest case is named`() {
    let text = failure([
      HandmadeComparison.peek("bad", ratio: 1.05, verdict: .slower),
      HandmadeComparison.peek("worse", ratio: 1.2, verdict: .slower),
    ])
    #expect(text?.hasPrefix("worse: slower: CPU time changed by +20.0 %") == true)
    #expect(text?.hasSuffix("(and 1 more case)") == true)
  }

  @Test func `the change of a case that was measured again is the second one`() {
    var slow = HandmadeComparison.peek(ratio: 1.2, verdict: .slower)
    slow.confirmed = HandmadeComparison.estimate(1.05, .slower)
    #expect(failure([slow])?.contains("+5.00 %") == true)
    let text = CompareTable(HandmadeComparison.result([slow])).rendered()
    #expect(text.contains("+5.00 %") && !text.contains("+20.0 %"))
  }

  @Test func `an allowed rise and a new case are notes`() {
    var result = HandmadeComparison.result([
      HandmadeComparison.peek(base: ["work": 10], candidate: ["work": 12])
    ])
    result.allowedCounters = ["work"]
    result.onlyInCandidate = ["fresh"]
    let notes = ["peek: work rose from 10 to 12, which is allowed", "fresh: new"]
    let input = ReportInput(files: [.init(name: "r.json", result: .comparison(result))])
    let text = CompareTable(result).rendered()
    for note in notes { #expect(text.contains(note)) }
    #expect(MarkdownExport.rendered(input).contains("which is allowed"))
    #expect(text.contains("\nSame: the one case\n"))
  }

  @Test func `the conclusions are counted as title and number`() {
    let verdict = HandmadeComparison.result([
      HandmadeComparison.peek("one", differing: [3]),
      HandmadeComparison.peek("two", base: ["work": 1], candidate: ["work": 2]),
      HandmadeComparison.peek("three", base: ["work": 1], candidate: ["work": 2]),
    ]).verdict
    #expect(verdict.tally == "pixels differ: 1, counter rose: 2")
  }

  @Test func `each counter that rose is noted once, and one more is singular`() {
    let result = HandmadeComparison.result([
      HandmadeComparison.peek(base: ["a": 1, "b": 1], candidate: ["a": 2, "b": 2])
    ])
    let text = CompareTable(result).rendered()
    #expect(text.components(separatedBy: "a rose from 1 to 2").count == 2)
    #expect(text.components(separatedBy: "b rose from 1 to 2").count == 2)
    #expect(result.verdict.explanation.hasSuffix("(and 1 more counter)"))
  }

  @Test func `the Markdown summary says the conclusion once before the count`() {
    let result = HandmadeComparison.result([HandmadeComparison.peek(ratio: 1.1, verdict: .slower)])
    let input = ReportInput(files: [.init(name: "r.json", result: .comparison(result))])
    let text = MarkdownExport.rendered(input)
    #expect(text.contains(": slower\n\n1 of 1 case (slower: 1).\n"))
  }

  @Test func `a check that was not measured in time names the budget and contaminates nothing`() {
    let reason = "the time budget of 5.0 seconds ran out after 0 launches"
    let result = HandmadeComparison.result([
      HandmadeComparison.peek(),
      HandmadeComparison.peek("control", verdict: .inconclusive, reason: reason, role: .control),
    ])
    #expect(result.verdict.conclusion == .same)
    // The reason appears once.
    #expect(CompareTable(result).rendered().components(separatedBy: reason).count == 2)
  }

  @Test func `a result without allowed counters, as earlier versions wrote it, is read`() throws {
    let result = HandmadeComparison.result([HandmadeComparison.peek()])
    let json = try JSONEncoder.compact.encode(result)
    #expect(!String(decoding: json, as: UTF8.self).contains("allowedCounters"))
    #expect(try JSONDecoder().decode(BuildComparison.self, from: json) == result)
  }
}
