import Measurement
import Testing

@Suite struct ResampledRatioTests {
  private static func cases(seed: UInt64, ratios: [Double]) throws -> [CaseComparison] {
    try ratios.enumerated().map { index, ratio in
      var machine = SimulatedMachine(
        seed: SeededRandom.derivedSeed(from: seed, stream: UInt64(index)), ratio: ratio)
      machine.pairsPerLaunch = 6
      machine.launchSpread = 0.004
      return try CaseComparison("case \(index)", launches: machine.launches(4))
    }
  }

  @Test func `it is the geometric mean of the gated ratios and of no others`() throws {
    var cases = try Self.cases(seed: 1, ratios: [0.5, 1.1, 3])
    let product = cases.reduce(1) { $0 * $1.cpu.ratio }
    cases.append(try CaseComparison(role: .canary, launches: cases[2].launches))
    let overall = try #require(try ResampledRatio(meanOf: cases, seed: 1))
    #expect(abs(overall.ratio * overall.ratio * overall.ratio / product - 1) < 1e-12)
    let interval = try #require(overall.interval)
    #expect(interval.lower < overall.ratio && overall.ratio < interval.upper)
    #expect(interval.coverage == 0.95)
  }

  @Test func `a case that was measured again counts with its second measurement`() throws {
    let first = try Self.cases(seed: 4, ratios: [1.3])
    let second = try Self.cases(seed: 5, ratios: [1.1])
    var both = first
    both[0].confirmation = second[0].launches
    both[0].confirmed = second[0].cpu
    #expect(try ResampledRatio(meanOf: both, seed: 1) == ResampledRatio(meanOf: second, seed: 1))
  }

  /// The estimate trims one of eight launches at either end.
  ///
  /// If resamples were not trimmed, an outlier that is drawn once, as in six of ten draws,
  /// would move the interval and not the estimate.
  @Test func `launches drawn again are trimmed as the estimate is`() throws {
    let equal = PairedLaunch(base: 1_000_000, candidate: 1_000_000, pairs: 4)
    let slow = PairedLaunch(base: 1_000_000, candidate: 2_000_000, pairs: 4)
    let launches = [PairedLaunch](repeating: equal, count: 7) + [slow]
    let overall = try #require(
      try ResampledRatio(meanOf: [CaseComparison(launches: launches)], seed: 1, confidence: 0.5))
    #expect(overall.ratio == 1)
    #expect(overall.interval?.lower == 1 && overall.interval?.upper == 1)
  }

  @Test func `one launch has a mean without an interval, and no gated case has none`() throws {
    let single = try CaseComparison(launches: [PairedLaunch(base: 10, candidate: 10, pairs: 20)])
    let overall = try #require(try ResampledRatio(meanOf: [single], seed: 1))
    #expect(overall.ratio == 1)
    #expect(overall.interval == nil)
    #expect(try ResampledRatio(meanOf: [], seed: 1) == nil)
    #expect(throws: SampleError.invalidConfidence(0)) {
      try ResampledRatio(meanOf: [single], seed: 1, confidence: 0)
    }
  }
}
