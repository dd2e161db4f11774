import PropertyTesting
import Testing

/// Tests that values drawn by the standard library from the words of a case have the documented distribution.
///
/// Seeds are fixed, so that every run gives the same counts.
@Suite struct UniformityTests {
  /// Returns how often each number from 0 up to, but not including, the width is drawn; each case draws four.
  private func counts(
    _ width: Int, _ draw: @escaping @Sendable (inout ChoiceRandom) -> Int
  ) -> [Int] {
    let cases = Gen<[Int]> { testCase throws(Discarded) in
      testCase.withRandom { random in (0..<4).map { _ in draw(&random) } }
    }.sample(5000, seed: 7)
    return cases.reduce(into: Array(repeating: 0, count: width)) { counts, values in
      for value in values { counts[value] += 1 }
    }
  }

  /// Expects counts to be plausible for equal shares: chi-square is within six standard deviations of its mean.
  ///
  /// The lower limit uses the approximation of Wilson and Hilferty; otherwise it would be negative for fewer than 72
  /// degrees of freedom.
  private func expectUniform(_ counts: [Int], _ name: String) {
    let expected = Double(counts.reduce(0, +)) / Double(counts.count)
    let square = counts.reduce(0.0) { sum, count in
      sum + (Double(count) - expected) * (Double(count) - expected) / expected
    }
    let freedom = Double(counts.count - 1)
    let part = 2 / (9 * freedom)
    // If there are few counts, even equal ones are plausible.
    let root = max(0, 1 - part - 6 * part.squareRoot())
    let range = freedom * root * root * root...freedom + 6 * (2 * freedom).squareRoot()
    #expect(range.contains(square), "\(name): \(counts)")
  }

  @Test func `numbers up to a bound beyond 2^63 are uniform`() {
    var random = SplitMix64(seed: 7)
    // Without rejection, every third number up to this bound would be twice as frequent.
    let bound: UInt64 = 3 << 62 - 1
    var counts = [0, 0, 0]
    for _ in 0..<3000 { counts[Int(random.next(through: bound) % 3)] += 1 }
    expectUniform(counts, "\(bound)")
  }

  @Test(arguments: [2, 3, 6, 7, 10, 16, 100, 255, 1000])
  func `whole numbers are uniform`(width: Int) {
    expectUniform(counts(width) { Int.random(in: 0..<width, using: &$0) }, "below \(width)")
    let offset = counts(width) { Int.random(in: -5...width - 6, using: &$0) + 5 }
    expectUniform(offset, "from -5, \(width) numbers")
  }

  @Test func `words and shuffles are uniform`() {
    expectUniform(counts(64) { Int(UInt64.random(in: 0...UInt64.max, using: &$0) >> 58) }, "high")
    expectUniform(counts(64) { Int(UInt64.random(in: 0...UInt64.max, using: &$0) & 63) }, "low")
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    expectUniform(
      counts(6) { random in
        orders.firstIndex(of: [0, 1, 2].shuffled(using: &random)) ?? 0
      }, "shuffles")
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `drawn values shrink to the lower ends`(seed: UInt64) async {
    func drawn<Value: Sendable>(
      _ draw: @escaping @Sendable (inout ChoiceRandom) -> Value
    ) -> Gen<Value> { Gen { testCase throws(Discarded) in testCase.withRandom(draw) } }
    // Some bounds make the standard library reject words.
    let numbers = drawn { random in
      [2, 3, 100, 1 << 40, 10].map { Int.random(in: 0..<$0, using: &random) }
    }
    #expect(await numbers.shrunk(seed: seed) { _ in true } == [0, 0, 0, 0, 0])
    #expect(await numbers.shrunk(seed: seed) { $0[2] > 41 } == [0, 0, 42, 0, 0])
    let doubles = drawn { random in
      (Double.random(in: 0..<1, using: &random), Double.random(in: 2...3, using: &random))
    }
    let simplest = await doubles.shrunk(seed: seed) { _ in true }
    #expect(simplest?.0 == 0 && simplest?.1 == 2)
    let shuffled = drawn { [1, 2, 3, 4, 5].shuffled(using: &$0) }
    let first = await shuffled.shrunk(seed: seed) { _ in true }
    #expect(first == (await shuffled.shrunk(seed: seed + 9) { _ in true }))
    #expect(await drawn { Bool.random(using: &$0) }.shrunk(seed: seed) { _ in true } == true)
  }
}
