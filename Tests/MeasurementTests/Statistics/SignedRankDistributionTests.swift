import Measurement
import Testing

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

  @Test func `many values sum to one and stay symmetric`() {
    let distribution = SignedRankDistribution(count: 120)
    let greatest = distribution.greatest
    for sum in stride(from: 0, through: greatest, by: 131) {
      let both = distribution.atMost(sum) + distribution.atLeast(sum + 1)
      #expect(abs(both - 1) < 1e-13)
      #expect(distribution.atMost(sum) == distribution.atLeast(greatest - sum))
    }
  }
}
