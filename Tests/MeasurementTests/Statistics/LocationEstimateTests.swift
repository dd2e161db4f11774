import Foundation
import Measurement
import Testing

@Suite struct LocationEstimateTests {
  private static func values(_ count: Int, random: inout SeededRandom) throws -> SortedSamples {
    // Symmetric about 0.25 with heavy tails: the logistic distribution.
    try SortedSamples(
      (0..<count).map { _ in
        let unit = random.unit()
        return 0.25 + log((unit + 0x1p-60) / (1 - unit))
      })
  }

  /// Both estimates of the same values.
  private static func both(
    _ values: SortedSamples, tail: Double, above bound: Double
  ) throws -> [LocationEstimate] {
    [
      LocationEstimate(medianOf: values, tail: tail, above: bound),
      try LocationEstimate(hodgesLehmannOf: values, tail: tail, above: bound),
    ]
  }

  @Test(arguments: [10, 14, 24])
  func `each interval covers the true middle as often as it says`(count: Int) throws {
    var random = SeededRandom(seed: 3, stream: UInt64(count))
    let repetitions = 250
    var hits = [0, 0]
    var coverages = [0.0, 0.0]
    for _ in 0..<repetitions {
      let values = try Self.values(count, random: &random)
      for (index, estimate) in try Self.both(values, tail: 0.05, above: 0).enumerated() {
        let interval = try #require(estimate.interval)
        if interval.lower <= 0.25, 0.25 <= interval.upper { hits[index] += 1 }
        coverages[index] = interval.coverage
      }
    }
    for (hits, coverage) in zip(hits, coverages) {
      #expect(coverage >= 0.9)
      // For continuous values the coverage is exact; four binomial deviations either way, 7.6 % of
      // 90 %: an interval of 80 % is told from it.
      let deviation = (coverage * (1 - coverage) / Double(repetitions)).squareRoot()
      #expect(abs(Double(hits) / Double(repetitions) - coverage) <= 4 * deviation)
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `turning the sign around mirrors the estimate and its interval`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed, label: "mirror")
    let values = try Self.values(4 + random.index(below: 20), random: &random)
    let mirrored = try SortedSamples(values.values.map { -$0 })
    let pairs = zip(
      try Self.both(values, tail: 0.02, above: 0), try Self.both(mirrored, tail: 0.02, above: 0))
    for (there, back) in pairs {
      #expect(abs(there.center + back.center) < 1e-14)
      #expect(there.interval?.lower == back.interval.map { -$0.upper })
      #expect(there.interval?.upper == back.interval.map { -$0.lower })
      #expect(abs(there.standardError - back.standardError) < 1e-14)
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the interval lies above a bound just where the chance is below the tail`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed, label: "duality")
    let values = try Self.values(10 + random.index(below: 15), random: &random)
    for bound in stride(from: -3.0, to: 3, by: 0.41) {
      for estimate in try Self.both(values, tail: 0.01, above: bound) {
        let interval = try #require(estimate.interval)
        #expect((interval.lower > bound) == (estimate.chance <= 0.01))
      }
    }
  }

  /// The differences and the results of the example in R's manual page of `wilcox.test`.
  ///
  /// Hollander and Wolfe's nine patients before and after therapy: V = 40, p = 0.01953 one-sided.
  @Test func `the published example comes out`() throws {
    let before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    let after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    let estimate = try LocationEstimate(
      hodgesLehmannOf: SortedSamples(zip(before, after).map { $0 - $1 }), tail: 0.025, above: 0)
    #expect(estimate.chance == 10.0 / 512)
    #expect(abs(estimate.center - 0.46) < 1e-12)
    let interval = try #require(estimate.interval)
    #expect(abs(interval.lower - 0.01) < 1e-12)
    #expect(abs(interval.upper - 0.786) < 1e-12)
  }

  @Test func `too few values give an estimate without an interval`() throws {
    for estimate in try Self.both(try SortedSamples([1, 2, 3]), tail: 0.1, above: 3) {
      #expect(estimate.interval == nil)
      #expect(estimate.center == 2)
    }
  }
}

@Suite struct SignedRankDistributionTests {
  @Test(arguments: 0...12)
  func `every chance is the exact share of the sets of ranks`(count: Int) {
    let sets = 1 << count
    var ways = [Int](repeating: 0, count: count * (count + 1) / 2 + 1)
    for set in 0..<sets {
      ways[(0..<count).reduce(0) { $0 + (set >> $1 & 1) * ($1 + 1) }] += 1
    }
    let distribution = SignedRankDistribution(count: count)
    #expect(distribution.greatest == ways.count - 1)
    for sum in ways.indices {
      // Multiples of 2^-12: exact.
      let below = Double(ways[...sum].reduce(0, +)) / Double(sets)
      let above = Double(ways[sum...].reduce(0, +)) / Double(sets)
      #expect(distribution.atMost(sum) == below)
      #expect(distribution.atLeast(sum) == above)
    }
    #expect(distribution.atMost(-1) == 0)
    #expect(distribution.atLeast(distribution.greatest + 1) == 0)
  }

  /// The critical values in the tables of Wilcoxon's test, one-sided: a sum as low is significant.
  ///
  /// The last two rows are sums of exact integers (Python).
  @Test(arguments: [
    (5, 0.05, 0), (6, 0.025, 0), (7, 0.01, 0), (8, 0.005, 0), (10, 0.05, 10), (10, 0.01, 5),
    (12, 0.025, 13), (15, 0.005, 15), (20, 0.05, 60), (20, 0.01, 43), (25, 0.025, 89),
    (30, 0.01, 120), (50, 0.05, 466), (40, 0.01, 238), (50, 0.005, 373),
  ])
  func `the rank of an interval is one more than the critical value`(
    count: Int, tail: Double, critical: Int
  ) {
    #expect(SignedRankDistribution(count: count).intervalRank(tail: tail) == critical + 1)
  }

  @Test func `there is an interval from two to the minus n on`() {
    #expect(SignedRankDistribution(count: 0).intervalRank(tail: 0.4) == nil)
    for count in 1...30 {
      let tail = Double(sign: .plus, exponent: -count, significand: 1)
      let distribution = SignedRankDistribution(count: count)
      #expect(count == 1 || distribution.intervalRank(tail: tail) != nil)
      #expect(distribution.intervalRank(tail: tail * 0.999) == nil)
    }
  }
}

@Suite struct NormalDistributionTests {
  @Test(arguments: [1e-300, 1e-20, 1e-6, 0.001, 0.01, 0.1, 0.25, 0.4999, 0.5, 0.9, 0.99])
  func `the bound of a tail has that tail`(tail: Double) {
    let bound = NormalDistribution.bound(upperTail: tail)
    // A rounding of the bound moves the tail by up to z² + 1 roundings: 1,400 at 1e-300.
    #expect(abs(NormalDistribution.upperTail(bound) / tail - 1) < 1e-12)
  }

  /// From published tables, as R's `qnorm` prints them.
  @Test(arguments: [
    (0.5, 0), (0.25, 0.6744897501960817), (0.1, 1.2815515655446004), (0.05, 1.6448536269514722),
    (0.01, 2.3263478740408408), (0.001, 3.090232306167813), (1e-10, 6.361340902404056),
  ])
  func `bounds are those of the tables`(tail: Double, expected: Double) {
    #expect(abs(NormalDistribution.bound(upperTail: tail) - expected) < 1e-13)
  }

  @Test func `what is no chance has no finite bound`() {
    #expect(NormalDistribution.bound(upperTail: 0) == .infinity)
    #expect(NormalDistribution.bound(upperTail: -1) == .infinity)
    #expect(NormalDistribution.bound(upperTail: 1) == -.infinity)
    #expect(NormalDistribution.bound(upperTail: 2) == -.infinity)
    #expect(NormalDistribution.bound(upperTail: .nan).isNaN)
  }
}
