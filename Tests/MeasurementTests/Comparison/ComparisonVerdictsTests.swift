import Measurement
import Testing

@Suite struct ComparisonVerdictsTests {
  private static let settings = GateSettings()

  private static func measured(
    _ name: String = "case", role: CaseComparison.Role = .gated, ratio: Double,
    confirmed: Double? = nil, seed: UInt64 = 1, launches: Int = 6
  ) throws -> CaseComparison {
    var machine = SimulatedMachine(seed: seed, ratio: ratio, spread: 0.018)
    let first = machine.launches(launches)
    machine.ratio = confirmed ?? 1
    return try CaseComparison(
      name, role: role, launches: first, confirmation: confirmed == nil ? [] : machine.launches(8))
  }

  /// Returns a control, a check of the same build and a canary with correct results.
  private static func checks() throws -> [CaseComparison] {
    [
      try measured("same", role: .sameBuild, ratio: 1, seed: 11),
      try measured("frozen", role: .control, ratio: 1, seed: 12),
      try measured("canary", role: .canary, ratio: 1.05, seed: 13),
    ]
  }

  private static func judge(
    _ cases: [CaseComparison]
  ) -> (cases: [CaseComparison], contamination: [String]) {
    ComparisonVerdicts.judge(cases, settings: settings)
  }

  @Test func `a sound run keeps its verdicts and gives no reasons`() throws {
    let cases =
      try [
        Self.measured(ratio: 1, seed: 2), Self.measured(ratio: 1.05, confirmed: 1.05, seed: 3),
        Self.measured(ratio: 0.93, confirmed: 0.93, seed: 4),
      ] + Self.checks()
    let judged = Self.judge(cases)
    #expect(judged.contamination.isEmpty)
    #expect(judged.cases.map(\.verdict) == [.same, .slower, .faster, .same, .same, .slower])
    #expect(judged.cases.allSatisfy { $0.reason == nil })
  }

  @Test func `judging changes nothing but verdicts and reasons, and judging again nothing`() throws
  {
    let cases = try [Self.measured(ratio: 1.05)] + Self.checks()
    let judged = Self.judge(cases).cases
    let unjudged = judged.map { each in
      var each = each
      each.verdict = .inconclusive
      each.reason = nil
      return each
    }
    #expect(unjudged == cases)
    #expect(Self.judge(judged).cases == judged)
  }

  @Test(arguments: [(1.05, Verdict.slower), (0.95, .faster)])
  func `slower and faster need a second measurement that says so too`(
    ratio: Double, verdict: Verdict
  ) throws {
    let judged = Self.judge([
      try Self.measured(ratio: ratio), try Self.measured(ratio: ratio, confirmed: 1),
      try Self.measured(ratio: ratio, confirmed: 1 / ratio),
      try Self.measured(ratio: ratio, confirmed: ratio),
    ]).cases
    #expect(judged.map(\.verdict) == [.inconclusive, .inconclusive, .inconclusive, verdict])
    #expect(judged[0].reason?.contains("looked \(verdict.rawValue), but was not measured") == true)
    #expect(judged[1].reason?.contains("not when measured again") == true)
  }

  @Test func `the same needs no second measurement, but must agree with one that was made`() throws
  {
    let judged = Self.judge([
      try Self.measured(ratio: 1), try Self.measured(ratio: 1, confirmed: 1),
      try Self.measured(ratio: 1, confirmed: 1.05),
    ]).cases
    #expect(judged.map(\.verdict) == [.same, .same, .inconclusive])
    #expect(judged[2].reason?.contains("looked the same, but not") == true)
  }

  /// Returns launches 2.6 % slower on average, whose scatter makes them just significant at 1 %.
  private static func barely() throws -> CaseComparison {
    let launches = [1.010, 1.017, 1.028, 1.033, 1.033, 1.037].map { ratio in
      PairedLaunch(base: 1_000_000, candidate: UInt64(1_000_000 * ratio), pairs: 20)
    }
    return try CaseComparison(launches: launches, confirmation: launches)
  }

  @Test func `a barely significant difference counts alone, but not among many cases`() throws {
    let barely = try Self.barely()
    try #require(barely.cpu.verdict == .slower && barely.confirmed?.verdict == .slower)
    #expect(Self.judge([barely]).cases[0].verdict == .slower)
    // SciPy 1.17: ttest_1samp of the six logarithms against log(1.01), one-sided. Both measurements took a
    // single look with the whole error rate, so the chance is the square. Rounding to nanoseconds changes a
    // millisecond by a millionth.
    let chance = ComparisonVerdicts.chance(of: barely, errorRate: 0.01)
    #expect(abs(chance.squareRoot() - 0.006371192806231923) < 1e-6)
    let others = try (0..<251).map { try Self.measured(ratio: 1, seed: UInt64($0)) }
    let judged = Self.judge([barely] + others).cases
    #expect(judged[0].verdict == .inconclusive)
    #expect(judged[0].reason?.contains("this many cases") == true)
  }

  @Test func `checks do not count among the cases to correct for`() throws {
    let canaries = try (0..<40).map { _ in try Self.measured(role: .canary, ratio: 1.05) }
    #expect(Self.judge([try Self.barely()] + canaries).cases[0].verdict == .slower)
  }

  @Test(arguments: [
    (CaseComparison.Role.sameBuild, 1.03), (.sameBuild, 0.97), (.control, 1.03), (.canary, 1),
    (.canary, 0.95),
  ])
  func `a check that fails makes every verdict inconclusive`(
    role: CaseComparison.Role, ratio: Double
  ) throws {
    let cases = try [
      Self.measured(ratio: 1.1, confirmed: 1.1), Self.measured(ratio: 1),
      Self.measured("the check", role: role, ratio: ratio),
    ]
    let judged = Self.judge(cases)
    #expect(judged.contamination.count == 1)
    #expect(judged.contamination.first?.contains("the check") == true)
    #expect(judged.cases.allSatisfy { $0.verdict == .inconclusive })
    #expect(judged.cases.allSatisfy { $0.reason?.contains("contaminated") == true })
    #expect(judged.cases[0].cpu == cases[0].cpu)
  }

  @Test func `a difference contaminates only if it is certain and large enough`() throws {
    func isContaminated(_ ratio: Double, spread: Double) throws -> Bool {
      var machine = SimulatedMachine(seed: 6, ratio: ratio, spread: spread)
      let check = try CaseComparison(role: .sameBuild, launches: machine.launches(8))
      return !Self.judge([check]).contamination.isEmpty
    }
    #expect(try isContaminated(1.007, spread: 0.001))
    #expect(try isContaminated(0.993, spread: 0.001))
    #expect(try !isContaminated(1.004, spread: 0.001))
    #expect(try !isContaminated(1.1, spread: 0.4))
  }

  @Test func `sound checks seldom contaminate a run`() throws {
    var machine = SimulatedMachine(seed: 14, spread: 0.025)
    // As measured on two virtual cores, launches of equal builds vary a little.
    machine.launchSpread = 0.005
    let repetitions = 400
    let spoiled = try (0..<repetitions).count { _ in
      let check = try CaseComparison(role: .control, launches: machine.launches(8))
      return !Self.judge([check]).contamination.isEmpty
    }
    // The interval misses once in 1,000, and some times more often if launches vary.
    #expect(spoiled <= 4)
  }

  @Test(arguments: [CaseComparison.Role.control, .sameBuild, .canary])
  func `a check that was hardly measured is inconclusive and contaminates nothing`(
    role: CaseComparison.Role
  ) throws {
    let few = PairedLaunch(base: [9, 9, 9], candidate: [9, 9, 9])
    let check = try CaseComparison("short", role: role, launches: [few])
    var unmeasured = check
    unmeasured.launches = []
    for check in [check, unmeasured] {
      let judged = Self.judge([check, try Self.measured(ratio: 1)])
      #expect(judged.contamination.isEmpty)
      #expect(judged.cases.map(\.verdict) == [.inconclusive, .same])
    }
  }

  @Test func `a canary cut short does not contaminate, and one not found after all looks does`()
    throws
  {
    func contamination(_ launches: Int) throws -> [String] {
      let wild = (0..<launches).map { number in
        let isOdd = number % 2 == 1
        return PairedLaunch(base: [isOdd ? 10 : 100], candidate: [isOdd ? 100 : 10])
      }
      let canary = try CaseComparison("the check", role: .canary, launches: wild)
      try #require(canary.cpu.verdict == .inconclusive)
      return Self.judge([canary]).contamination
    }
    #expect(try contamination(6).isEmpty)
    #expect(try contamination(39).isEmpty)
    #expect(try contamination(40).first?.contains("the check") == true)
  }

  @Test(arguments: [Verdict.slower, .faster])
  func `a check that is called slower or faster contaminates, however certain it is`(
    verdict: Verdict
  ) throws {
    var check = try Self.measured("the check", role: .control, ratio: 1)
    check.cpu.verdict = verdict
    #expect(Self.judge([check]).contamination.first?.contains("the check") == true)
  }
}

@Suite struct HolmCorrectionTests {
  @Test(arguments: 0..<50 as Range<UInt64>)
  func `a smaller chance or a higher rate never rejects less`(seed: UInt64) {
    var random = SeededRandom(seed: seed, label: "Holm is monotone")
    // Cubed, so that some are small enough to be rejected.
    let chances = (0..<(1 + random.index(below: 12))).map { _ in
      let unit = random.unit()
      return unit * unit * unit
    }
    let before = HolmCorrection.rejected(chances, errorRate: 0.05)
    var smaller = chances
    smaller[random.index(below: chances.count)] *= random.unit()
    for after in [
      HolmCorrection.rejected(smaller, errorRate: 0.05),
      HolmCorrection.rejected(chances, errorRate: 0.05 + 0.2 * random.unit()),
    ] {
      #expect(zip(before, after).allSatisfy { !$0 || $1 })
    }
  }

  @Test func `a false rejection among true hypotheses is as rare as stated`() {
    var random = SeededRandom(seed: 5)
    let repetitions = 4000
    let families = (0..<repetitions).count { _ in
      HolmCorrection.rejected((0..<30).map { _ in random.unit() }, errorRate: 0.05).contains(true)
    }
    // 1 - (1 - 0.05 / 30)^30 = 4.88 %, and five binomial deviations of 0.34 %.
    #expect(abs(Double(families) / Double(repetitions) - 0.0488) < 0.017)
  }

  @Test func `the first chance that fails saves the rest`() {
    // 0.05 / 4, / 3, / 2: the third fails, so the fourth is kept although it is below 0.05.
    #expect(
      HolmCorrection.rejected([0.04, 0.01, 0.03, 0.0125], errorRate: 0.05)
        == [false, true, false, true])
    #expect(HolmCorrection.rejected([], errorRate: 0.05) == [])
    #expect(
      HolmCorrection.rejected([.nan, 0.025, 0.03], errorRate: 0.05) == [false, false, false])
    #expect(HolmCorrection.rejected([.nan, 0.016], errorRate: 0.05) == [false, true])
  }
}
