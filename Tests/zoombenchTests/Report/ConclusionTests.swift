import Foundation
import Measurement
import Testing

@testable import zoombench

/// The table of verdicts: every combination has one conclusion in all outputs.
@Suite struct ConclusionTests {
  enum Counter: Int, CaseIterable { case equal = 10, fell = 9, rose = 11, allowedToRise = 12 }

  struct Combination {
    var verdicts: [Verdict]
    var counter: Counter
    var hasOtherPixels: Bool
    var isContaminated: Bool
    var isMissing: Bool
    /// The conclusion from the times alone.
    var byTime: String

    /// The expected conclusion, by an explicit order of precedence.
    var expected: String {
      if hasOtherPixels { return "pixels differ" }
      if isMissing { return "case missing" }
      if counter == .rose { return "counter rose" }
      return isContaminated ? "contaminated" : byTime
    }

    func result(strict: Bool = false) -> RunResult {
      var cases = verdicts.enumerated().map { place, verdict in
        Samples.peek(
          "case \(place)", ratio: [Verdict.slower: 1.1, .faster: 0.9][verdict] ?? 1,
          verdict: verdict,
          base: place == 0 ? ["work": 10] : [:],
          candidate: place == 0 ? ["work": counter.rawValue] : [:],
          differing: place == 0 && hasOtherPixels ? [3] : [])
      }
      cases.append(Samples.peek("control", role: .control))
      var result = Samples.result(
        contamination: isContaminated ? ["the machine slept"] : [], cases: cases)
      if isMissing { result.onlyInBase = ["gone"] }
      if counter == .allowedToRise { result.settings.allowedCounters = ["work"] }
      result.settings.strict = strict
      result.compare(cases)
      return result
    }
  }

  /// Sets of verdicts with the conclusion of each.
  static let byTime: [([Verdict], String)] = [
    ([], "undecided"),
    ([.same], "same"),
    ([.faster], "faster"),
    ([.faster, .same], "faster"),
    ([.inconclusive], "undecided"),
    ([.inconclusive, .inconclusive], "undecided"),
    ([.inconclusive, .same], "partly undecided"),
    ([.inconclusive, .faster, .same], "partly undecided"),
    ([.slower], "slower"),
    ([.slower, .same], "slower"),
    ([.slower, .inconclusive], "slower"),
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
      (0..<8).filter { !verdicts.isEmpty || $0 & 1 == 0 }.map { bits in
        Combination(
          verdicts: verdicts, counter: counter, hasOtherPixels: bits & 1 != 0,
          isContaminated: bits & 2 != 0, isMissing: bits & 4 != 0, byTime: byTime)
      }
    }
  }

  @Test(arguments: rows)
  func `every output says the same`(row: Combination) throws {
    let codes = try #require(Self.exitCodes[row.expected])
    for (strict, code) in [(false, codes.0), (true, codes.1)] {
      let conclusion = row.result(strict: strict).conclusion
      #expect(conclusion.word.rawValue == row.expected && conclusion.exitCode == code)
      if code == 0 {
        try conclusion.check()
      } else {
        let failure = #expect(throws: Failure.self) { try conclusion.check() }
        #expect(failure?.status.rawValue == code)
      }
    }
    let result = row.result()
    let input = ReportInput(result)
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

  private func conclusion(_ cases: CaseComparison...) -> Conclusion {
    Samples.result(cases: cases).conclusion
  }

  @Test func `the slowest case is named`() {
    let text = conclusion(
      Samples.peek("bad", ratio: 1.05, verdict: .slower),
      Samples.peek("worse", ratio: 1.2, verdict: .slower)
    ).explanation
    #expect(text?.hasPrefix("worse: slower: CPU time changed by +20.0 %") == true)
    #expect(text?.hasSuffix("(and 1 more case)") == true)
  }

  @Test func `verdicts are counted, and the counters that rose named`() {
    let risen = Samples.peek("two", base: ["a": 1, "b": 1], candidate: ["a": 2, "b": 2])
    let both = conclusion(Samples.peek("one", differing: [3]), risen)
    #expect(both.tallied == "pixels differ: 1, counter rose: 1")
    #expect(both.title == "Pixels differ: 1 of 2 cases")
    #expect(
      conclusion(risen).explanation
        == "two: counter rose: a rose from 1 to 2 (and 1 more counter)")
  }

  @Test func `a check that is not decided is named beside a verdict of times`() {
    let found = conclusion(
      Samples.peek("petronas", ratio: 1.05, verdict: .slower),
      Samples.peek("twice", verdict: .inconclusive, role: .sameBuild))
    #expect(found.title == "Slower: 1 of 1 case, without a check: twice")
    #expect(found.explanation?.hasSuffix(", without a check: twice") == true)
  }

  @Test func `a picture that was not measured is bad input, unless there is a finding`() {
    var result = Samples.report()
    result.rows.append(Samples.unmeasured("b"))
    result.judge()
    #expect(result.conclusion.exitCode == 65)
    #expect(result.conclusion.explanation == "b.jpg: no picture")
    result.addFailure(of: "mine", "it did not start")
    #expect(result.conclusion.exitCode == 1)
    #expect(result.conclusion.explanation == "mine failed and could not be compared")
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
      #expect(Samples.laws(laws).conclusion.exitCode == codes.0)
      #expect(Samples.laws(laws, strict: true).conclusion.exitCode == codes.1)
    }
    let conclusion = Samples.laws([held, untried], programs: ["peek"]).conclusion
    #expect(conclusion.exitCode == 0)
    let alone = Samples.laws([untried], programs: ["peek"]).conclusion
    #expect(alone.exitCode == 2)
    #expect(alone.explanation?.hasPrefix("no law could be tried on peek: too few") == true)
  }
}
