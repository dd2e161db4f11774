import Foundation
import Measurement
import Testing

@testable import zoombench

/// The table of verdicts: every combination has one conclusion in all outputs.
@Suite struct ConclusionTests {
  enum Counter: CaseIterable { case equal, fell, rose, allowedToRise }
  enum Contamination: CaseIterable { case none, stated }

  struct Combination: CustomTestStringConvertible {
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
        Samples.peek(
          "case \(place)", ratio: [Verdict.slower: 1.1, .faster: 0.9][verdict] ?? 1,
          verdict: verdict,
          base: place == 0 ? ["work": 10] : [:], candidate: place == 0 ? ["work": now] : [:],
          differing: place == 0 && hasOtherPixels ? [3] : [])
      }
      cases.append(Samples.peek("control", role: .control))
      var result = Samples.result(
        contamination: contamination == .stated ? ["the machine slept"] : [], cases: cases)
      if isMissing { result.onlyInBase = ["gone"] }
      if counter == .allowedToRise { result.allowedCounters = ["work"] }
      return result
    }
  }

  /// Every set of verdicts with its conclusion.
  static let byTime: [([Verdict], String)] = [
    ([], "undecided"),
    ([.same], "same"),
    ([.faster], "faster"),
    ([.faster, .same], "faster"),
    ([.inconclusive], "undecided"),
    ([.inconclusive, .inconclusive], "undecided"),
    ([.inconclusive, .same], "partly undecided"),
    ([.inconclusive, .faster], "partly undecided"),
    ([.inconclusive, .faster, .same], "partly undecided"),
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
    "contaminated": (2, 2), "undecided": (2, 2), "partly undecided": (0, 2),
    "faster": (0, 0), "same": (0, 0),
  ]

  static let rows: [Combination] = byTime.flatMap { verdicts, byTime in
    // Counters and pixels need a case.
    (verdicts.isEmpty ? [Counter.equal] : Counter.allCases).flatMap { counter in
      (verdicts.isEmpty ? [false] : [false, true]).flatMap { pixels in
        Contamination.allCases.flatMap { contamination in
          [false, true].map { isMissing in
            Combination(
              verdicts: verdicts, counter: counter, hasOtherPixels: pixels,
              contamination: contamination, isMissing: isMissing, byTime: byTime)
          }
        }
      }
    }
  }

  private func exitCode(_ result: RunResult) -> Int32 {
    do {
      try result.conclusion.check()
      return 0
    } catch {
      return (error as? Failure)?.status.rawValue ?? -1
    }
  }

  @Test(arguments: rows)
  func `each combination has the conclusion and the exit codes of the table`(
    row: Combination
  ) throws {
    let codes = try #require(Self.exitCodes[row.expected])
    for (strict, code) in [(false, codes.0), (true, codes.1)] {
      let result = RunResult(row.result, strict: strict)
      #expect(result.conclusion.word.rawValue == row.expected)
      #expect(result.conclusion.exitCode == code && exitCode(result) == code)
    }
  }

  /// The rows whose outputs are rendered: a selection that contains each conclusion.
  static let rendered = rows.filter { row in
    [[], [.same], [.faster, .same], [.inconclusive], [.inconclusive, .same]].contains(row.verdicts)
      || row.verdicts.count == 4
  }

  @Test(arguments: rendered)
  func `every output says the same`(row: Combination) throws {
    let result = RunResult(row.result)
    let input = ReportInput(result)
    let codes = try #require(Self.exitCodes[row.expected])
    let title = row.expected.prefix(1).uppercased() + row.expected.dropFirst() + ": "

    #expect(TableWriter.rendered(result).contains("\n\(title)"))
    let head = MarkdownWriter.rendered(input).split(separator: "\n").first
    #expect(head?.hasSuffix(": \(row.expected)") == true)

    let gated = result.rows.filter { $0.role == .gated }.map(\.verdict.standing)
    #expect(gated.contains(.failed) == (codes.0 == 1))
    #expect(!gated.contains(.passed) || codes.0 != 2)
    if codes.0 == 0 { #expect(gated.contains(.undecided) == (codes.1 == 2)) }

    let annotations = AnnotationsWriter.rendered(input)
    #expect(annotations.contains("::error ") == (codes.0 == 1))
    #expect(annotations.contains("::warning ") == (codes.0 == 2))
    #expect(annotations.contains("::notice ") == (codes.0 == 0 && codes.1 == 2))

    let words = Set(result.rows.map(\.verdict.word.rawValue))
    if row.expected == "partly undecided" {
      #expect(words.contains("undecided"))
    } else if !row.verdicts.isEmpty || row.isMissing {
      #expect(words.contains(row.expected))
    }
  }

  private func failure(_ cases: [CaseComparison]) -> String? {
    RunResult(Samples.result(cases: cases)).conclusion.explanation
  }

  @Test func `the slowest case is named`() {
    let text = failure([
      Samples.peek("bad", ratio: 1.05, verdict: .slower),
      Samples.peek("worse", ratio: 1.2, verdict: .slower),
    ])
    #expect(text?.hasPrefix("worse: slower: CPU time changed by +20.0 %") == true)
    #expect(text?.hasSuffix("(and 1 more case)") == true)
  }

  @Test func `verdicts are counted, and the counters that rose named`() {
    let conclusion = RunResult(
      Samples.result(cases: [
        Samples.peek("one", differing: [3]),
        Samples.peek("two", base: ["a": 1, "b": 1], candidate: ["a": 2, "b": 2]),
      ])
    ).conclusion
    #expect(conclusion.tallied == "pixels differ: 1, counter rose: 1")
    #expect(conclusion.title == "Pixels differ: 1 of 2 cases")
    let risen = failure([Samples.peek(base: ["a": 1, "b": 1], candidate: ["a": 2, "b": 2])])
    #expect(risen == "peek: counter rose: a rose from 1 to 2 (and 1 more counter)")
  }

  @Test func `a check that is not decided is named beside a verdict of times`() {
    let slow = Samples.peek("petronas", ratio: 1.05, verdict: .slower)
    let check = Samples.peek("twice", verdict: .inconclusive, role: .sameBuild)
    let title = RunResult(Samples.result(cases: [slow, check])).conclusion.title
    #expect(title == "Slower: 1 of 1 case, without a check: twice")
    #expect(failure([slow, check])?.hasSuffix(", without a check: twice") == true)
  }

  @Test func `a picture that was not measured is bad input, unless there is a finding`() throws {
    var report = try Samples.report()
    report.unmeasured = [.init(picture: "b", reason: "b.jpg: no picture")]
    #expect(RunResult(report).conclusion.exitCode == 65)
    #expect(RunResult(report).conclusion.explanation == "b.jpg: no picture")
    report.groups[0].failures = [.init(source: "mine", reason: "it did not start")]
    #expect(RunResult(report).conclusion.exitCode == 1)
    #expect(
      RunResult(report).conclusion.explanation == "mine failed and could not be compared")
  }

  @Test func `laws are judged as the table of exit codes says`() {
    var recommended = Samples.law("IIIF-R1", kind: .server, breaches: [Samples.breach()])
    recommended.strength = "should"
    var untried = Samples.law("PX-1", verdict: .undecided, kind: .pixels)
    untried.cases = 0
    let (held, broken) = (Samples.law("FZ-P1"), Samples.law("FZ-P2", verdict: .broken))
    let open = Samples.law("FZ-P3", verdict: .undecided)
    for (laws, codes) in [
      ([], (0, 0)), ([held], (0, 0)), ([held, broken, open], (1, 1)), ([open], (0, 2)),
      ([held, open], (0, 2)), ([recommended], (0, 1)), ([recommended, open], (0, 1)),
    ] as [([VerifyReport.LawRow], (Int32, Int32))] {
      #expect(RunResult(Samples.laws(laws)).conclusion.exitCode == codes.0)
      #expect(RunResult(Samples.laws(laws), strict: true).conclusion.exitCode == codes.1)
    }
    let conclusion = RunResult(Samples.laws([held, untried]), programs: ["peek"]).conclusion
    #expect(conclusion.exitCode == 0)
    let alone = RunResult(Samples.laws([untried]), programs: ["peek"]).conclusion
    #expect(alone.exitCode == 2)
    #expect(alone.explanation?.hasPrefix("no law could be tried on peek: too few") == true)
  }
}
