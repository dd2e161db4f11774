import Foundation
import Measurement
import Testing

@Suite struct LocationEstimateTests {
  private static func values(_ count: Int, random: inout SeededRandom) throws -> SortedSamples {
    // Symmetric about 0.25 with heavier tails than normal: the logistic distribution.
    try SortedSamples(
      (0..<count).map { _ in
        let unit = random.unit()
        return 0.25 + log((unit + 0x1p-60) / (1 - unit))
      })
  }

  @Test(arguments: [4, 6, 10, 16, 26])
  func `the interval covers the true middle as often as it says`(count: Int) throws {
    var random = SeededRandom(seed: 3, stream: UInt64(count))
    let repetitions = 600
    let hits = try (0..<repetitions).count { _ in
      let estimate = LocationEstimate(try Self.values(count, random: &random))
      let interval = try #require(estimate.interval(tail: 0.05))
      return interval.lower <= 0.25 && 0.25 <= interval.upper
    }
    // Four binomial deviations of 1.2 % about 90 %, which distinguish it from an interval of 84 %.
    #expect(abs(Double(hits) / Double(repetitions) - 0.9) <= 0.049)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `negated values negate the estimate, and shifted values shift the interval`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed, label: "mirror")
    let values = try Self.values(2 + random.index(below: 20), random: &random)
    let there = LocationEstimate(values)
    let back = LocationEstimate(try SortedSamples(values.values.map { -$0 }))
    let moved = LocationEstimate(try SortedSamples(values.values.map { $0 + 3 }))
    let interval = try #require(there.interval(tail: 0.01))
    let mirrored = try #require(back.interval(tail: 0.01))
    let shifted = try #require(moved.interval(tail: 0.01))
    #expect(abs(there.center + back.center) < 1e-12)
    #expect(abs(interval.lower + mirrored.upper) < 1e-9 * (1 + abs(interval.lower)))
    #expect(abs(interval.lower + 3 - shifted.lower) < 1e-9 * (1 + abs(interval.lower)))
    #expect(abs(there.chance(beyond: 0.1) - back.chance(beyond: 0.1)) < 1e-9)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the interval excludes a bound exactly if the chance is below the tail`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed, label: "duality")
    let values = try Self.values(2 + random.index(below: 25), random: &random)
    let estimate = LocationEstimate(values)
    let interval = try #require(estimate.interval(tail: 0.01))
    for bound in stride(from: 0.0, to: 3, by: 0.41) {
      let isBeyond = interval.lower > bound || interval.upper < -bound
      #expect(isBeyond == (estimate.chance(beyond: bound) <= 0.01))
    }
  }

  /// SciPy 1.17: `mstats.trimmed_mean`, `trimmed_stde` and `trimmed_mean_ci` with the limits 2/16,
  /// and `stats.t.sf`; for the first six values `stats.sem`, `t.interval` and `ttest_1samp`.
  @Test func `the figures are those of SciPy`() throws {
    let values = [
      0.02, 0.023, 0.0173, 0.2, 0.0155, 0.0101, 0.0206, 0.0334, 0.0151, 0.0138, 0.0249, 0.0236,
      0.0211, 0.0107, 0.0197, 0.027,
    ]
    let trimmed = LocationEstimate(try SortedSamples(values))
    #expect(abs(trimmed.center - 0.020133333333333333) < 1e-15)
    #expect(abs((trimmed.standardError ?? 0) - 0.0016349425179611168) < 1e-15)
    let interval = try #require(trimmed.interval(tail: 0.01))
    #expect(abs(interval.lower - 0.01568943) < 5e-9)
    #expect(abs(interval.upper - 0.02457724) < 5e-9)
    #expect(abs(trimmed.chance(beyond: 0.01) / 3.367607047479529e-05 - 1) < 1e-9)

    let six = LocationEstimate(try SortedSamples(Array(values[..<6])))
    #expect(abs(six.center - 0.04765) < 1e-15)
    #expect(abs((six.standardError ?? 0) - 0.030521803681958254) < 1e-15)
    #expect(abs(try #require(six.interval(tail: 0.01)).upper - 0.1503537328301781) < 1e-12)
    #expect(abs(six.chance(beyond: 0.01) - 0.1360969946426449) < 1e-12)
  }

  @Test func `a single value has no standard error, and equal ones have one of zero`() throws {
    let single = LocationEstimate(try SortedSamples([2]))
    #expect(single.center == 2)
    #expect(single.standardError == nil && single.interval(tail: 0.1) == nil)
    #expect(single.chance(beyond: 1) == 1)
    let equal = LocationEstimate(try SortedSamples([2, 2, 2]))
    #expect(equal.interval(tail: 0.1)?.lower == 2 && equal.interval(tail: 0.1)?.upper == 2)
    #expect(equal.chance(beyond: 1) == 0 && equal.chance(beyond: 2) == 1)
  }
}
