import PropertyTesting
import Testing

@Suite struct ShrinkResultsTests {
  private func expect<Value: Equatable>(
    _ expected: Value, of generator: Gen<Value>, where fails: @escaping @Sendable (Value) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    for seed in 0..<UInt64(5) {
      let found = await generator.shrunk(seed: seed, fails)
      #expect(found == expected, "seed \(seed)", sourceLocation: sourceLocation)
    }
  }

  @Test func `whole numbers shrink to the threshold, negative ones from below`() async {
    for threshold in [1001, 1 << 63, UInt64.max - 1] {
      await expect(threshold, of: .anyInteger) { $0 >= threshold }
    }
    await expect(-1000, of: Gen<Int>.anyInteger) { $0 <= -1000 }
    await expect(.min + 1, of: Gen<Int>.anyInteger) { $0 < .min + 2 }
    await expect(.min, of: Gen<Int8>.anyInteger) { $0 == .min }
    await expect(100, of: Gen<Int>.anyInteger) { abs($0 / 2) >= 50 }
  }

  @Test func `doubles shrink to short decimals`() async throws {
    await expect(2, of: .anyDouble) { $0 > 1.5 }
    await expect(-2, of: .anyDouble) { $0 < -1.5 }
    await expect(1235, of: .anyDouble) { $0 > 1234.5 }
    await expect(2e20, of: .anyDouble) { $0 > 1e20 }
    await expect(1, of: .double(in: 0...1)) { $0 > 0.25 }
    await expect(0.3, of: .double(in: 0...0.9)) { $0 > 0.25 }
    await expect(0.01, of: .double(in: 0...0.9)) { $0 > 0 && $0 < 0.02 }
    await expect(0.1, of: .anyDouble) { $0 != $0.rounded() && $0.isFinite }
    // Infinities and NaN remain only if no finite number fails.
    await expect(.infinity, of: .anyDouble) { $0.isInfinite }
    await expect(5, of: .anyDouble) { !($0 < 5) }
    #expect(try #require(await Gen.anyDouble.shrunk(seed: 0) { $0.isNaN }).isNaN)
    await expect(1, of: .float(in: -9.0...9)) { $0 > 0.25 }
    await expect(.seconds(2), of: .duration(in: .nanoseconds(-3) ... .seconds(90))) {
      $0 > .milliseconds(1500)
    }
  }

  @Test func `permutations, texts and trees shrink`() async {
    let order = Gen<[Int]>.permutation(of: Array(1...8))
    await expect(Array(1...8), of: order) { _ in true }
    await expect([1, 2, 3, 4, 5, 6, 8, 7], of: order) { $0.last != 8 }
    let text = Gen<String>.anyString(count: 0...20)
    await expect("a", of: text) { !$0.isEmpty }
    await expect("aaaa", of: text) { $0.unicodeScalars.count > 3 }
    await expect("\n", of: text) { $0.contains("\n") }
    let leaf = Gen<Int>.integer(in: 0...1000).map { [$0] }
    let tree = Gen<[Int]>.recursive(leaf, depth: 5) { Gens.zip($0, $0).map { $0 + $1 } }
    await expect([7], of: tree) { $0.contains { $0 >= 7 } }
    await expect([0, 0, 0], of: tree) { $0.count >= 3 }
  }
}

/// Tests of failures that are found only by searching far from the first failure.
@Suite struct SearchTests {
  private func expect<Value: Sendable>(
    _ expected: String, of generator: Gen<Value>, where fails: @escaping @Sendable (Value) -> Bool
  ) async {
    for seed in 0..<UInt64(10) {
      let settings = PropertySettings(cases: 20_000, seed: seed)
      let report = await Property.check("smallest", generator, settings: settings) { value, _ in
        try Property.require(!fails(value))
      }
      #expect(report.failures.first?.description == expected, "seed \(seed)")
    }
  }

  @Test func `a failure shrinks to an earlier alternative that has only a few values`() async {
    let size = Gen<[Int]>.oneOf(
      .element(of: [[1600, 1200], [1000, 3000]]),
      Gens.zip(Gen<Int>.integer(in: 1...5000), .integer(in: 1...5000)).map { [$0, $1] })
    await expect("([1000, 3000], 1)", of: Gens.zip(size, .integer(in: 0...5000))) { size, place in
      size[1] > size[0] && place > 0
    }
  }

  @Test func `three numbers that depend on each other always shrink to the same result`() async {
    let number = Gen<Int>.integer(in: 1...2000)
    await expect("(1, 3, 6)", of: Gens.zip(number, number, number)) { a, b, c in
      // A larger value of one number needs larger values of the others.
      a * 3 <= b && b * 2 <= c && c % (a + 1) == 0
    }
  }

  @Test func `a number of special interest shrinks like any other`() async {
    let side = Gen<Int>.integer(in: 1...100_000, often: [1600, 3264], share: 0.9)
    let scale = Gen<Double>.double(in: 0.5...4, often: [3, 2.608695652173913], share: 0.9)
    await expect("(2, 2.0)", of: Gens.zip(side, scale)) { $0 > 1 && $1 > 1 }
  }

  @Test func `special numbers are as frequent as requested`() {
    let numbers = Gen<Int>.integer(in: 0...1_000_000, often: [77, 99], share: 0.5).sample(2000)
    #expect((900...1100).contains(numbers.count { $0 == 77 || $0 == 99 }))
    let doubles = Gen<Double>.double(in: 0...1, often: [0.3], share: 0.25).sample(2000)
    #expect((400...600).contains(doubles.count { $0 == 0.3 }))
  }
}
