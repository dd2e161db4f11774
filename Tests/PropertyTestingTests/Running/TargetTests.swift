import PropertyTesting
import Testing

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

  @Test func `climbing finds a needle that drawing at random does not`() async {
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
  func `climbing takes no more cases than asked for, whatever runs at a time`(_ cases: Int) async {
    let alone = await Self.run(targets: true, seed: 9, cases: cases)
    let together = await Self.run(targets: true, seed: 9, parallelism: 3, cases: cases)
    #expect(alone.cases == together.cases)
    #expect(alone.bestScores == together.bestScores)
    #expect(alone.cases <= cases)
    #expect(alone.failures.map(\.token) == together.failures.map(\.token))
  }

  @Test func `scores that are no numbers are left out`() async {
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
