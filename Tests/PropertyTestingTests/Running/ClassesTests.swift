import PropertyTesting
import Testing

@Suite struct ClassesTests {
  private static func run(
    _ share: Double, cases: Int = 100, most: Int = 50_000, _ isIn: @escaping @Sendable (Int) -> Bool
  ) async -> PropertyReport<Int> {
    var settings = PropertySettings(cases: cases, seed: 1)
    settings.classCases = most
    return await Property.check("classes", Gen<Int>.integer(in: 0...99_999), settings: settings) {
      number, testCase in
      testCase.classify(isIn(number), as: "wanted", atLeast: share)
      testCase.classify(number.isMultiple(of: 2), as: "even")
      testCase.classify(number.isMultiple(of: 2), as: "even")
    }
  }

  @Test func `a class that has its share lets the run pass, after as many cases as it takes`()
    async
  {
    let report = await Self.run(0.4) { $0 % 3 != 0 }
    #expect(report.verdict == .passed)
    #expect(report.cases > 100)
    #expect(report.classes.map(\.name) == ["wanted", "even"])
    #expect(report.classes.map(\.verdict) == [.met, .notRequired])
    // A case that names a class twice counts once.
    #expect(report.classes.allSatisfy { $0.count <= $0.total })
  }

  @Test func `a class that misses its share, or never comes, does not pass`() async {
    #expect(await Self.run(0.9) { $0 % 3 != 0 }.verdict == .gaveUp(.missedClasses(["wanted"])))
    #expect(await Self.run(0.1) { $0 < 0 }.verdict == .gaveUp(.missedClasses(["wanted"])))
  }

  @Test func `a share that cannot be decided does not pass`() async {
    let report = await Self.run(0.5, most: 300) { $0 % 2 == 0 }
    #expect(report.verdict == .gaveUp(.undecidedClasses(["wanted"])))
    #expect(report.cases <= 300)
  }

  @Test func `without required shares no more cases run than asked for`() async {
    let report = await Property.check(
      "counted", Gen<Int>.integer(in: 0...99_999), settings: PropertySettings(cases: 77, seed: 1)
    ) { number, testCase in testCase.classify(number > 5, as: "large") }
    #expect(report.cases == 77)
    #expect(report.classes.first?.total == 77)
  }
}
