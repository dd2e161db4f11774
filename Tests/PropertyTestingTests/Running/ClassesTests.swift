import Testing

@testable import PropertyTesting

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

  @Test func `a class with its share passes, after as many cases as necessary`() async {
    let report = await Self.run(0.4) { $0 % 3 != 0 }
    #expect(report.verdict == .passed)
    #expect(report.cases > 100)
    #expect(report.classes.map(\.name) == ["wanted", "even"])
    #expect(report.classes.map(\.verdict) == [.met, .notRequired])
    // A case that names a class twice counts once.
    #expect(report.classes.allSatisfy { $0.count <= $0.total })
  }

  @Test func `a class without its share, or without cases, does not pass`() async {
    #expect(await Self.run(0.9) { $0 % 3 != 0 }.verdict == .gaveUp(.missedClasses(["wanted"])))
    #expect(await Self.run(0.1) { $0 < 0 }.verdict == .gaveUp(.missedClasses(["wanted"])))
  }

  @Test func `a run with an undecided share does not pass`() async {
    let report = await Self.run(0.5, most: 300) { $0 % 2 == 0 }
    #expect(report.verdict == .gaveUp(.undecidedClasses(["wanted"])))
    #expect(report.cases <= 300)
  }
}

@Suite struct SequentialShareTests {
  /// Returns the decision, tested after every case as in a run, and the number of cases that it took.
  private static func decide(
    truth: Double, share: Double, seed: UInt64, most: Int
  ) -> (verdict: ClassReport.Verdict, cases: Int) {
    var random = SplitMix64(seed: seed)
    var count = 0
    for total in 1...most {
      if random.nextUnit() < truth { count += 1 }
      let verdict = SequentialShare.decide(share: share, count: count, of: total)
      if verdict != .undecided { return (verdict, total) }
    }
    return (.undecided, most)
  }

  // The probability of a wrong decision in any of these tests is one in a million, so a single wrong decision refutes
  // the claimed certainty.
  @Test(arguments: [0.02, 0.2, 0.5, 0.9, 1.0])
  func `a share is not missed if it is reached, and not met below nine tenths of the requirement`(
    _ share: Double
  ) {
    for seed in 0..<60 as Range<UInt64> {
      #expect(Self.decide(truth: share, share: share, seed: seed, most: 20_000).verdict != .missed)
      let truth = 0.9 * share
      #expect(Self.decide(truth: truth, share: share, seed: seed, most: 20_000).verdict != .met)
    }
  }

  @Test func `a class without cases is missed, and one with all cases is met`() {
    #expect(SequentialShare.decide(share: 0.05, count: 0, of: 2000) == .missed)
    #expect(SequentialShare.decide(share: 0.05, count: 0, of: 100) == .undecided)
    #expect(SequentialShare.decide(share: 1, count: 2000, of: 2000) == .met)
    #expect(SequentialShare.decide(share: 1.5, count: 2000, of: 2000) == .missed)
    #expect(SequentialShare.decide(share: .nan, count: 2000, of: 2000) == .missed)
  }

  @Test func `Wilson's interval covers the rate with its stated confidence`() {
    var covered = 0
    let trials = 2000
    for seed in 0..<UInt64(trials) {
      var random = SplitMix64(seed: seed)
      let rate = 0.05 + 0.9 * random.nextUnit()
      let count = (0..<40).reduce(0) { sum, _ in sum + (random.nextUnit() < rate ? 1 : 0) }
      if SequentialShare.wilson(count, of: 40, deviations: 1.96).contains(rate) { covered += 1 }
    }
    // Averaged over rates, Wilson's interval covers 95 %; four standard errors of 2000 trials are 2 %.
    let share = Double(covered) / Double(trials)
    #expect(share > 0.93 && share < 0.97)
  }
}
