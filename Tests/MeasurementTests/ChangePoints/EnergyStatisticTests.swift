import Testing

@testable import Measurement

@Suite struct EnergyStatisticTests {
  /// Summed by hand, pair by pair; small whole numbers leave no rounding but in the last division.
  @Test(
    arguments: [
      // Across 3 + 5 + 2 + 4 = 14, within 1 and 2: E = 28/4 - 2/2 - 4/2 = 4, Q = 4/4 · 4.
      ([0, 1], [3, 5], 4),
      // Across 9, within 0: E = 18/9 = 2, Q = 9/6 · 2.
      ([0, 0, 0], [1, 1, 1], 3),
      // Across 14, within 4 and 10: E = 28/12 - 8/6 - 20/12 = -2/3, Q = 12/7 · E.
      ([1, 2, 3], [1, 2, 3, 4], -8.0 / 7),
      // Across 53, within 2 and 7: E = 106/12 - 4/6 - 14/12 = 7, Q = 12/7 · 7.
      ([0, 1, 0], [4, 5, 6, 4], 12),
    ] as [([Double], [Double], Double)])
  func `small statistics are those computed by hand`(
    before: [Double], after: [Double], expected: Double
  ) {
    // The values stand inside a longer series, so that offsets count.
    let values = [100.0] + before + after + [-50]
    let energy = EnergyStatistic(values, window: 1..<values.count - 1)
    let q = energy.q(
      before: 1..<before.count + 1, after: before.count + 1..<values.count - 1)
    #expect(abs(q - expected) <= 1e-13)
  }

  private static func distances(_ x: ArraySlice<Double>, _ y: ArraySlice<Double>) -> Double {
    x.reduce(0) { sum, a in y.reduce(sum) { $0 + abs(a - $1) } }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `each split has the sum over all its pairs`(seed: UInt64) {
    let values = NoiseFixture.factors(count: 14, deviation: 1, seed: seed)
    let energy = EnergyStatistic(values, window: 0..<values.count)
    for (first, split, last) in [(0, 2, 4), (0, 7, 14), (3, 5, 14), (1, 12, 14), (4, 8, 11)] {
      let (x, y) = (values[first..<split], values[split..<last])
      let across = Self.distances(x, y) / Double(x.count * y.count)
      // Over ordered pairs, each value with itself left out.
      let within =
        Self.distances(x, x) / Double(x.count * (x.count - 1))
        + Self.distances(y, y) / Double(y.count * (y.count - 1))
      let weight = Double(x.count * y.count) / Double(x.count + y.count)
      let expected = weight * (2 * across - within)
      #expect(abs(energy.q(before: first..<split, after: split..<last) - expected) <= 1e-11)
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `the best split of the mirror image is the mirror image of the best split`(
    seed: UInt64
  ) throws {
    let values = NoiseFixture.stepped(
      NoiseFixture.factors(count: 30, deviation: 0.1, seed: seed), at: 11, by: 1.5)
    let there = try #require(
      EnergyStatistic(values, window: 0..<30).best(in: 0..<30, minimum: 3))
    let back = try #require(
      EnergyStatistic(values.reversed(), window: 0..<30).best(in: 0..<30, minimum: 3))
    #expect(there.before.lowerBound == 30 - back.after.upperBound)
    #expect(there.after.lowerBound == 30 - back.after.lowerBound)
    #expect(there.after.upperBound == 30 - back.before.lowerBound)
    // Pairs are summed in another order.
    #expect(abs(there.q - back.q) <= 1e-11)
  }

  @Test func `a constant has no best split, and neither has a short segment`() {
    let constant = EnergyStatistic([Double](repeating: 0.1, count: 40), window: 0..<40)
    #expect(constant.best(in: 0..<40, minimum: 3) == nil)
    let short = EnergyStatistic([1, 1, 1, 2, 2], window: 0..<5)
    #expect(short.best(in: 0..<5, minimum: 3) == nil)
    #expect(short.best(in: 0..<5, minimum: 2)?.after.lowerBound == 3)
  }
}
