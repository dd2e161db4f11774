import Testing

@testable import PropertyTesting

@Suite struct PropertyReportTests {
  @Test func `a report names the verdict, the seed, the classes and the token`() async throws {
    let report = await Property.check(
      "named", Gen<Int>.integer(in: 0...100_000), settings: PropertySettings(seed: 12)
    ) { number, testCase in
      testCase.classify(number > 10, as: "large")
      try Property.require(number < 500, "too much")
    }
    let token = try #require(report.failures.first?.token)
    let parts = ["named: failed", "seed 12", "large", "counterexample: 500", "too much"]
    for part in parts + [token.description] {
      #expect(report.description.contains(part), "\(part)")
    }
  }

  @Test(arguments: [
    (0.0, "0 %"), (1.0, "100 %"), (0.99999, "99.99 %"), (0.5, "50 %"), (0.125, "12.5 %"),
    (0.0305, "3.05 %"),
  ])
  func `a share is written in percent, and as 100 only if it is 1`(
    _ share: Double, _ text: String
  ) {
    #expect(percent(share) == text)
  }
}

@Suite struct CollectTests {
  @Test(arguments: [1, 3])
  func `each value has its count and the most frequent is first`(parallelism: Int) async throws {
    let settings = PropertySettings(cases: 1000, seed: 3, parallelism: parallelism)
    let report = await Property.check(
      "collected", .integer(in: 0...1_000_000), settings: settings
    ) { number, testCase in
      testCase.collect(number % 4 == 0 ? "fourth" : "other", as: "kind")
      testCase.collect(number % 2, as: "rest")
      // A value collected twice in a case counts once.
      testCase.collect(number % 2, as: "rest")
    }
    #expect(report.tables.map(\.name) == ["kind", "rest"])
    let kind = try #require(report.tables.first)
    #expect(kind.rows.map(\.value) == ["other", "fourth"])
    #expect(report.tables.allSatisfy { $0.rows.reduce(0) { $0 + $1.count } == report.cases })
    #expect(kind.total == 1000 && kind.others == 0)
    #expect(kind.rows[1].count > 150 && kind.rows[1].count < 500)
    #expect(report.description.contains("\n  kind:\n"))
    #expect(report.description.contains("other (\(kind.rows[0].count))"))
  }

  @Test func `values beyond the first thousand different ones are counted together`() async throws {
    let report = await Property.check(
      "wide", .integer(in: 0...Int.max), settings: PropertySettings(cases: 3000, seed: 3)
    ) { number, testCase in testCase.collect(number, as: "number") }
    let table = try #require(report.tables.first)
    #expect(table.rows.count == 1000)
    #expect(table.rows.reduce(table.others) { $0 + $1.count } == 3000)
    #expect(report.description.contains("others (") && report.description.count < 2000)
  }
}
