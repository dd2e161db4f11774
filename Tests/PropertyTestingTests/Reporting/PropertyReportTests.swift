@testable import PropertyTesting
import Testing

@Suite struct PropertyReportTests {
  @Test func `a report names verdict, seed, classes and how to see a failure again`() async throws {
    let report = await Property.check(
      "named", Gen<Int>.integer(in: 0...100_000), settings: PropertySettings(seed: 12)
    ) { number, testCase in
      testCase.classify(number > 10, as: "large")
      try Property.require(number < 500, "too much")
    }
    let text = report.description
    let token = try #require(report.failures.first?.token)
    let parts = ["named: failed", "seed 12", "large", "counterexample: 500", "too much"]
    for part in parts + [token.description] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test(arguments: [
    (0.0, "0 %"), (1.0, "100 %"), (0.99999, "99.99 %"), (0.5, "50 %"), (0.125, "12.5 %"),
    (0.0305, "3.05 %"),
  ])
  func `a share is written in percent, and as 100 only when it is all`(
    _ share: Double, _ text: String
  ) {
    #expect(percent(share) == text)
  }

  @Test func `a share of whole numbers is rounded down as the numbers are`() {
    for total in 1...400 {
      for count in 0...total {
        let hundredths = 10_000 * count / total
        let text = percent(Double(count) / Double(total)).dropLast(2)
        let parts = text.split(separator: ".").map(String.init)
        let decimals = parts.count > 1 ? parts[1] + (parts[1].count == 1 ? "0" : "") : "00"
        #expect(
          parts[0] + decimals == "\(hundredths / 100)" + (hundredths % 100 < 10 ? "0" : "")
            + "\(hundredths % 100)")
      }
    }
  }

  @Test func `every reason to give up has words of its own`() {
    let reasons: [GaveUpReason] = [
      .invalidSettings("x"), .nothingRun, .tooFewValidCases, .unhealthy, .missedClasses(["a"]),
      .undecidedClasses(["a"]), .cancelled,
    ]
    #expect(Set(reasons.map(\.description)).count == reasons.count)
  }
}
