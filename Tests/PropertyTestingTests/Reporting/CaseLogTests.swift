@testable import PropertyTesting
import Synchronization
import Testing

@Suite struct CaseLogTests {
  private static func lines(parallelism: Int) async -> [String] {
    let lines = Mutex<[String]>([])
    var settings = PropertySettings(cases: 40, seed: 1, parallelism: parallelism)
    settings.phases.remove(.shrink)
    settings.flakiness.replays = 0
    settings.observer = { line in lines.withLock { $0.append(line) } }
    _ = await Property.check("log \"it\"\n", Gen<Int>.integer(in: 0...100_000), settings: settings)
    {
      number, testCase in
      testCase.classify(number % 2 == 0, as: "even")
      testCase.target(1.5, as: "height")
      try testCase.assume(number % 5 != 4)
      try Property.require(number < 70_000, "large")
    }
    return lines.withLock { $0 }
  }

  @Test func `each case has one line with its name, status, value and classes`() async {
    let lines = await Self.lines(parallelism: 1)
    #expect(lines.count >= 16)
    for line in lines {
      #expect(line.hasPrefix(#"{"type": "test_case", "run_start": "#))
      #expect(line.contains(##""property": "log \"it\"\n""##))
      #expect(line.contains(#""features": {"even": "#))
      #expect(!line.contains("\n"))
    }
    #expect(lines.contains { $0.contains(#""status": "passed""#) })
    #expect(lines.contains { $0.contains(#""status": "gave_up", "status_reason": "discarded""#) })
    #expect(lines.contains { $0.contains(#""status": "failed""#) && $0.contains("large") })
  }

  @Test func `lines come in the order of the cases, whatever runs at a time`() async {
    func values(_ lines: [String]) -> [Substring] {
      lines.map { line in
        guard let start = line.firstRange(of: #""representation": "#) else { return "" }
        return line[start.upperBound...].prefix { $0 != "," }
      }
    }
    let alone = values(await Self.lines(parallelism: 1))
    let together = values(await Self.lines(parallelism: 3))
    #expect(alone == together)
    #expect(Set(alone).count > 10)
  }

  @Test(arguments: [
    (JSONText.text("a\"b\\c\n\u{1}\u{2028}ü"), #""a\"b\\c\n\u0001\u2028ü""#),
    (.number(.nan), "null"), (.number(-0.5), "-0.5"), (.truth(true), "true"), (.null, "null"),
    (.object([("", .object([]))]), #"{"": {}}"#),
  ])
  func `JSON is escaped as its standard says`(_ value: JSONText, _ text: String) {
    #expect(value.description == text)
  }
}
