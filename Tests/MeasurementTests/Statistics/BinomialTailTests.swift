import Measurement
import Testing

@Suite struct BinomialTailTests {
  /// The row of Pascal's triangle, exact for rows up to 52 and their sums.
  private static func pascal(_ count: Int) -> [UInt64] {
    (0..<count).reduce([1]) { row, _ in
      zip(row + [0], [0] + row).map(+)
    }
  }

  @Test(arguments: 0...52)
  func `every tail is the exact number of ways over two to the number of coins`(trials: Int) {
    let row = Self.pascal(trials)
    for count in 0...trials {
      // All sums are at most 2^52, so nothing is rounded on either side.
      let ways = Double(row[count...].reduce(0, +))
      #expect(
        BinomialTail.atLeast(count, of: trials) == ways / Double(UInt64(1) << UInt64(trials)))
    }
  }

  @Test(arguments: [1, 7, 200, 801, 5000, 100_000])
  func `a count is reached or its mirror image is`(trials: Int) {
    var before = 1.0
    for count in stride(from: 0, through: trials + 1, by: max(trials / 97, 1)) {
      let chance = BinomialTail.atLeast(count, of: trials)
      // P(X ≥ k) + P(X ≥ n - k + 1) = 1, to within the error stated.
      let mirrored = BinomialTail.atLeast(trials - count + 1, of: trials)
      #expect(abs(chance + mirrored - 1) < 1e-10)
      #expect(chance <= before)
      before = chance
    }
  }

  @Test(arguments: [8, 80, 800, 100_000])
  func `the rank of the median's interval is the last whose tail is small enough`(
    count: Int
  ) throws {
    for tail in [0.01, 0.002, 0.01 / 150] {
      guard let rank = MedianInterval.narrowest(count: count, tail: tail)?.rank else { continue }
      #expect(BinomialTail.atLeast(count + 1 - rank, of: count) <= tail)
      #expect(BinomialTail.atLeast(count - rank, of: count) > tail)
    }
  }

  /// Expected values by sums of exact integers (Python's `math.comb`).
  @Test(arguments: [
    (200, 117, 0.009698472270166569),
    (800, 441, 0.0020788753468904748),
    (5000, 3400, 2.742218140262022e-146),
    (100_000, 50_500, 0.0007911799393977978),
    (100_000, 55_000, 4.300170822857348e-220),
  ])
  func `tails far out are found without underflow`(trials: Int, count: Int, expected: Double) {
    #expect(abs(BinomialTail.atLeast(count, of: trials) / expected - 1) < 1e-9)
  }

  @Test func `counts and trials out of range are certain or impossible`() {
    #expect(BinomialTail.atLeast(0, of: 10) == 1)
    #expect(BinomialTail.atLeast(-5, of: 10) == 1)
    #expect(BinomialTail.atLeast(11, of: 10) == 0)
    #expect(BinomialTail.atLeast(1, of: 0) == 0)
    #expect(BinomialTail.atLeast(0, of: -3) == 1)
    #expect(BinomialTail.atLeast(1, of: -3) == 0)
    #expect(BinomialTail.atLeast(1074, of: 1074) == .leastNonzeroMagnitude)
  }
}
