import PropertyTesting
import Testing

@Suite struct HealthTests {
  private static let numbers = Gen<Int>.integer(in: 0...1_000_000)

  private static func run(
    suppressing: Set<HealthCheck> = [], cases: Int = 100, _ share: Int
  ) async -> PropertyReport<Int> {
    var settings = PropertySettings(cases: cases, seed: 1)
    settings.suppressing = suppressing
    return await Property.check("filtered", numbers, settings: settings) { number, testCase in
      try testCase.assume(number % share == 17)
    }
  }

  @Test func `discards are counted and other cases drawn for them`() async {
    let report = await Property.check("half", Self.numbers, settings: PropertySettings(seed: 1)) {
      number, testCase in try testCase.assume(number % 3 != 0)
    }
    #expect(report.cases == 100)
    #expect(report.discards > 10)
    #expect(report.verdict == .passed)
  }

  @Test func `a run whose cases are mostly discarded gives up`() async {
    let report = await Self.run(40)
    #expect(report.verdict == .gaveUp(.unhealthy))
    #expect(report.healthFindings.map(\.check) == [.tooMuchDiscarded])
    #expect(report.cases < 100)
  }

  @Test func `a run without valid cases ends and is not passed, whatever is suppressed`() async {
    let report = await Property.check(
      "none", Self.numbers,
      settings: {
        var settings = PropertySettings(seed: 1)
        settings.suppressing = Set(HealthCheck.allCases)
        return settings
      }()
    ) { _, _ in throw Discarded() }
    #expect(report.verdict == .gaveUp(.tooFewValidCases))
    #expect(report.discards > 450 && report.discards < 1000)
  }

  @Test func `a suppressed check lets rare cases be looked for`() async {
    let report = await Self.run(suppressing: [.tooMuchDiscarded], cases: 50, 40)
    #expect(report.cases == 50)
    #expect(report.verdict == .passed)
  }

  @Test func `cases that are too large are told of`() async {
    let wide = Gen<[Int]>.array(of: .anyInteger, count: 0...9000).flatMap { list in
      Gen<[Int]>.array(
        of: .anyInteger, count: list.isEmpty ? 0...0 : 9000...9000)
    }
    var settings = PropertySettings(seed: 1)
    // 9000 choices may take long on a busy machine.
    settings.suppressing = [.tooSlow]
    let report = await Property.check("wide", wide, settings: settings) { _, _ in }
    #expect(report.verdict == .gaveUp(.unhealthy))
    #expect(report.healthFindings.map(\.check) == [.tooLarge])
  }

  @Test func `a simplest case that is too large is told of at once`() async {
    let wide = Gen<[Int]>.array(of: .anyInteger, count: 5000...6000)
    let report = await Property.check("base", wide) { _, _ in }
    #expect(report.healthFindings.map(\.check) == [.largeSimplestCase])
    #expect(report.cases == 0)
    #expect(report.verdict == .gaveUp(.unhealthy))
  }
}
