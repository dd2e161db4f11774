import PropertyTesting
import Synchronization
import Testing

@Suite struct HealthTests {
  private static let numbers = Gen<Int>.integer(in: 0...1_000_000)

  @Test func `a run whose cases are mostly discarded gives up`() async {
    let report = await Property.check(
      "filtered", Self.numbers, settings: PropertySettings(seed: 1)
    ) { number, testCase in try testCase.assume(number % 40 == 17) }
    #expect(report.verdict == .gaveUp(.unhealthy))
    #expect(report.healthFindings.map(\.check) == [.tooMuchDiscarded])
    #expect(report.cases < 100)
  }

  @Test func `a run without valid cases ends and does not pass, whatever is suppressed`() async {
    var settings = PropertySettings(seed: 1)
    settings.suppressing = Set(HealthCheck.allCases)
    let report = await Property.check("none", Self.numbers, settings: settings) { _, _ in
      throw Discarded()
    }
    #expect(report.verdict == .gaveUp(.tooFewValidCases))
    #expect(report.discards > 450 && report.discards < 1000)
  }

  @Test func `cases that are too large are reported`() async {
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

  @Test func `a simplest case that is too large is reported at once`() async {
    let wide = Gen<[Int]>.array(of: .anyInteger, count: 5000...6000)
    let report = await Property.check("base", wide) { _, _ in }
    #expect(report.healthFindings.map(\.check) == [.largeSimplestCase])
    #expect(report.cases == 0)
    #expect(report.verdict == .gaveUp(.unhealthy))
  }
}

@Suite struct ExhaustiveTests {
  private static func seen<Value: Sendable & Hashable>(
    _ generator: Gen<Value>, cases: Int, parallelism: Int = 1
  ) async -> (values: [Value], report: PropertyReport<Value>) {
    let values = Mutex<[Value]>([])
    let settings = PropertySettings(cases: cases, seed: 1, parallelism: parallelism)
    let report = await Property.check("seen", generator, settings: settings) { value, _ in
      values.withLock { $0.append(value) }
    }
    return (values.withLock { $0 }, report)
  }

  @Test(arguments: [1, 3])
  func `if there are few values, each is tried once`(_ parallelism: Int) async {
    let pairs = Gens.zip(Gen<Int>.integer(in: -3...4), Gen<Bool>.bool).map { [$0, $1 ? 1 : 0] }
    let (values, report) = await Self.seen(pairs, cases: 100, parallelism: parallelism)
    #expect(values.count == 16)
    #expect(Set(values).count == 16)
    #expect(report.wasExhaustive)
    #expect(report.cases == 16)
    #expect(report.verdict == .passed)
  }

  @Test func `values that outnumber the cases are not all tried`() async {
    let (_, report) = await Self.seen(.integer(in: 0...100), cases: 100)
    #expect(!report.wasExhaustive)
    #expect(report.cases == 100)
    let (values, all) = await Self.seen(.integer(in: 0...99), cases: 100)
    #expect(all.wasExhaustive && Set(values).count == 100)
  }

  @Test func `a range of doubles is tried in full only if it holds one number`() async {
    let (_, many) = await Self.seen(.double(in: 1...1.0.nextUp), cases: 50)
    #expect(!many.wasExhaustive)
    let (values, one) = await Self.seen(.double(in: 1...1), cases: 50)
    #expect(one.wasExhaustive && values == [1])
  }

  @Test func `a run whose property draws in its body is not exhaustive`() async {
    let numbers = Mutex<Set<Int>>([])
    let report = await Property.check(
      "draws", Gen<Bool>.bool, settings: PropertySettings(cases: 60, seed: 1)
    ) { _, testCase in
      let number = testCase.integer(in: 0...1000)
      numbers.withLock { _ = $0.insert(number) }
    }
    #expect(!report.wasExhaustive)
    #expect(report.cases == 60)
    #expect(report.oversized == 0)
    #expect(numbers.withLock { $0.count } > 20)
  }

  @Test func `shares of classes are exact when all values were tried`() async {
    func run(_ share: Double) async -> PropertyReport<Int> {
      await Property.check("shares", Gen<Int>.integer(in: 0...9)) { number, testCase in
        testCase.classify(number < 3, as: "low", atLeast: share)
      }
    }
    #expect(await run(0.3).verdict == .passed)
    #expect(await run(0.31).verdict == .gaveUp(.missedClasses(["low"])))
  }
}

@Suite struct TargetTests {
  private static func run(
    targets: Bool, seed: UInt64, parallelism: Int = 1, cases: Int = 4000
  ) async -> PropertyReport<(Int, Double)> {
    let generator = Gens.zip(
      Gen<Int>.integer(in: 0...1_000_000_000), Gen<Double>.double(in: 0...1))
    var settings = PropertySettings(cases: cases, seed: seed, parallelism: parallelism)
    if !targets { settings.phases.remove(.target) }
    return await Property.check("needle", generator, settings: settings) { value, testCase in
      let distance = Double(abs(value.0 - 712_345_678)) / 1e9
      let off = abs(value.1 - 0.318_309)
      testCase.target(-distance - off, as: "nearness")
      try Property.require(distance + off > 0.000_1, "found")
    }
  }

  @Test func `climbing finds a needle that random cases miss`() async {
    var (climbed, drawn) = (0, 0)
    for seed in 0..<6 as Range<UInt64> {
      if await Self.run(targets: true, seed: seed).verdict == .failed { climbed += 1 }
      if await Self.run(targets: false, seed: seed).verdict == .failed { drawn += 1 }
    }
    #expect(climbed >= 5)
    // The needle is 2 * 10^-8 of all pairs: one in 12,000 runs draws it.
    #expect(drawn == 0)
  }

  @Test(arguments: [100, 700, 2500])
  func `climbing takes at most the requested cases, at any parallelism`(_ cases: Int) async {
    let alone = await Self.run(targets: true, seed: 9, cases: cases)
    let together = await Self.run(targets: true, seed: 9, parallelism: 3, cases: cases)
    #expect(alone.cases == together.cases)
    #expect(alone.bestScores == together.bestScores)
    #expect(alone.cases <= cases)
    #expect(alone.failures.map(\.token) == together.failures.map(\.token))
  }

  @Test func `scores that are not finite are ignored`() async {
    let report = await Property.check(
      "scores", Gen<Int>.integer(in: 0...100_000), settings: PropertySettings(seed: 1)
    ) { _, testCase in
      testCase.target(.nan)
      testCase.target(.infinity)
    }
    #expect(report.bestScores.isEmpty)
    #expect(report.verdict == .passed)
  }
}
