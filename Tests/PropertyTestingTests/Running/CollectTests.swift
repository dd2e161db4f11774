import PropertyTesting
import Testing

@Suite struct CollectTests {
  @Test(arguments: [1, 3])
  func `each value has its count and the commonest comes first`(parallelism: Int) async throws {
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

  @Test func `more than a thousand different values are counted together`() async throws {
    let report = await Property.check(
      "wide", .integer(in: 0...Int.max), settings: PropertySettings(cases: 3000, seed: 3)
    ) { number, testCase in testCase.collect(number, as: "number") }
    let table = try #require(report.tables.first)
    #expect(table.rows.count == 1000)
    #expect(table.rows.reduce(table.others) { $0 + $1.count } == 3000)
    #expect(report.description.contains("others (") && report.description.count < 2000)
  }

  @Test func `a required share is decided beside a table`() async {
    let report = await Property.check(
      "both", .integer(in: 0...1_000_000), settings: PropertySettings(cases: 100, seed: 3)
    ) { number, testCase in
      testCase.classify(number < 0, as: "negative", atLeast: 0.1)
      testCase.collect(number < 500_000, as: "small")
    }
    #expect(report.verdict == .gaveUp(.missedClasses(["negative"])))
    #expect(report.tables.first?.rows.count == 2)
  }
}
