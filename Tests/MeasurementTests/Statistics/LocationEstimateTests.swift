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
