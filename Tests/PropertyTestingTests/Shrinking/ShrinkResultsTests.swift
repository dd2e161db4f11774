import PropertyTesting
import Testing

/// Tests that shrinking gives the results that a person expects.
@Suite struct ShrinkResultsTests {
  private static let seeds: Range<UInt64> = 0..<5

  @Test func `whole numbers of every width shrink to the threshold`() async {
    await expectThreshold(Int8.self, 100)
    await expectThreshold(Int16.self, 1001)
    await expectThreshold(Int32.self, 65_537)
    await expectThreshold(Int64.self, 1 << 40)
    await expectThreshold(Int.self, .max - 1)
    await expectThreshold(UInt8.self, 200)
    await expectThreshold(UInt16.self, 257)
    await expectThreshold(UInt32.self, 1 << 31)
    await expectThreshold(UInt64.self, .max - 1)
    await expectThreshold(UInt64.self, 1 << 63)
  }

  /// Integers of this size are two choices, shrunk separately, so only the upper part is certain to be minimal.
  @Test func `integers of more than 64 bits are drawn from all of their range, and shrink`() async {
    for seed in Self.seeds {
      let high = await Gen<UInt128>.anyInteger.shrunk(seed: seed) { $0 >= 1 << 100 }
      #expect(high == 1 << 100)
      let low = await Gen<Int128>.anyInteger.shrunk(seed: seed) { $0 < 0 }
      #expect(low == -1)
      let range: ClosedRange<Int128> = (-1 << 80)...(1 << 66 + 3)
      let outside = await Gen<Int128>.integer(in: range).shrunk(seed: seed) { !range.contains($0) }
      #expect(outside == nil)
    }
  }

  private func expectThreshold<T: FixedWidthInteger & Sendable>(
    _ type: T.Type, _ threshold: T
  ) async {
    for seed in Self.seeds {
      #expect(await Gen<T>.anyInteger.shrunk(seed: seed) { $0 >= threshold } == threshold)
    }
  }

  @Test func `negative numbers shrink to the threshold from below`() async {
    for seed in Self.seeds {
      #expect(await Gen<Int>.anyInteger.shrunk(seed: seed) { $0 <= -1000 } == -1000)
      #expect(await Gen<Int>.anyInteger.shrunk(seed: seed) { $0 < .min + 2 } == .min + 1)
      #expect(await Gen<Int8>.anyInteger.shrunk(seed: seed) { $0 == .min } == .min)
      #expect(await Gen<Int>.anyInteger.shrunk(seed: seed) { abs($0 / 2) >= 50 } == 100)
    }
  }

  @Test func `numbers shrink towards their target`() async {
    let generator = Gen<Int>.integer(in: -1000...1000, shrinkingTowards: 500)
    for seed in Self.seeds {
      #expect(await generator.shrunk(seed: seed) { _ in true } == 500)
      #expect(await generator.shrunk(seed: seed) { $0 < 490 } == 489)
      #expect(await generator.shrunk(seed: seed) { abs($0 - 500) > 9 } == 510)
    }
  }

  @Test func `doubles end on short decimals`() async {
    for seed in Self.seeds {
      #expect(await Gen.anyDouble.shrunk(seed: seed) { $0 > 1.5 } == 2)
      #expect(await Gen.anyDouble.shrunk(seed: seed) { $0 < -1.5 } == -2)
      #expect(await Gen.anyDouble.shrunk(seed: seed) { $0 > 1234.5 } == 1235)
      #expect(await Gen.anyDouble.shrunk(seed: seed) { $0 > 1e20 } == 2e20)
      #expect(await Gen.double(in: 0...1).shrunk(seed: seed) { $0 > 0.25 } == 1)
      #expect(await Gen.double(in: 0...0.9).shrunk(seed: seed) { $0 > 0.25 } == 0.3)
      #expect(await Gen.double(in: 0...0.9).shrunk(seed: seed) { $0 > 0 && $0 < 0.02 } == 0.01)
      #expect(
        await Gen.anyDouble.shrunk(seed: seed) { $0 != $0.rounded() && $0.isFinite } == 0.1)
    }
  }

  @Test func `numbers that are not finite stay so only where they must`() async throws {
    for seed in Self.seeds {
      #expect(await Gen.anyDouble.shrunk(seed: seed) { $0.isInfinite } == .infinity)
      let nan = try #require(await Gen.anyDouble.shrunk(seed: seed) { $0.isNaN })
      #expect(nan.isNaN)
      #expect(await Gen.anyDouble.shrunk(seed: seed) { !($0 < 5) } == 5)
    }
  }

  @Test func `what is drawn with a random number generator shrinks`() async {
    let generator = Gen<[Int]> { testCase throws(Discarded) in
      testCase.withRandom { random in
        (0..<Int.random(in: 0..<16, using: &random)).map { _ in
          Int.random(in: 0..<1024, using: &random)
        }
      }
    }
    for seed in Self.seeds {
      #expect(await generator.shrunk(seed: seed) { $0.contains { $0 > 100 } } == [101])
    }
  }

  @Test func `permutations shrink to the order given`() async {
    let generator = Gen<[Int]>.permutation(of: Array(1...8))
    for seed in Self.seeds {
      #expect(await generator.shrunk(seed: seed) { _ in true } == Array(1...8))
      let moved = await generator.shrunk(seed: seed) { $0.last != 8 }
      #expect(moved == [1, 2, 3, 4, 5, 6, 8, 7])
    }
  }

  @Test func `texts shrink to few simple letters`() async {
    let text = Gen<String>.anyString(count: 0...20)
    for seed in Self.seeds {
      #expect(await text.shrunk(seed: seed) { !$0.isEmpty } == "a")
      #expect(await text.shrunk(seed: seed) { $0.unicodeScalars.count > 3 } == "aaaa")
      #expect(await text.shrunk(seed: seed) { $0.contains("\n") } == "\n")
    }
  }

  @Test func `trees shrink to leaves`() async {
    let tree = Gen<[Int]>.recursive(
      Gen<Int>.integer(in: 0...1000).map { [$0] }, depth: 5
    ) { inner in
      Gens.zip(inner, inner).map { $0 + $1 }
    }
    for seed in Self.seeds {
      #expect(await tree.shrunk(seed: seed) { $0.contains { $0 >= 7 } } == [7])
      #expect(await tree.shrunk(seed: seed) { $0.count >= 3 } == [0, 0, 0])
    }
  }

  @Test func `sums are kept where the sum is what fails`() async throws {
    let generator = Gens.zip(Gen<Int>.integer(in: 0...1000), Gen<Int>.integer(in: 0...1000))
    for seed in Self.seeds {
      let sum = try #require(await generator.shrunk(seed: seed) { $0.0 + $0.1 >= 1500 })
      #expect(sum == (500, 1000))
    }
  }

  @Test func `of two bugs the one that was found is shrunk and the other is told`() async throws {
    let problem = ShrinkProblem("two bugs", Gen<Int>.integer(in: 0...100_000)) { number in
      number > 1000
        ? .failed(FailureOrigin(errorType: "large"))
        : number > 10 ? .failed(FailureOrigin(errorType: "small")) : .passed
    }
    let choice = Choice.integer(IntegerChoice(magnitude: 5000, below: 0, above: 100_000))
    var slips: [Attempt] = []
    let result = await shrink(problem.evaluate([choice]), onSlip: { slips.append($0) }) {
      problem.evaluate($0)
    }
    #expect(result.smallest.outcome == .failed(FailureOrigin(errorType: "large")))
    guard case .integer(let smallest) = try #require(result.smallest.choices.first) else {
      Issue.record("no number")
      return
    }
    #expect(smallest.magnitude == 1001)
    #expect(slips.contains { $0.outcome == .failed(FailureOrigin(errorType: "small")) })
  }

  @Test func `what has not failed is given back without a run`() async {
    let result = await shrink(Attempt(choices: [], spans: [], outcome: .passed)) { _ in
      Issue.record("run")
      return Attempt(choices: [], spans: [], outcome: .passed)
    }
    #expect(result.evaluations == 0)
    #expect(result.reason == .finished)
  }
}
