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
}

/// Tests of failures that shrinking to neighbours alone does not reach.
@Suite struct SearchTests {
  private func smallest<Value: Sendable>(
    _ generator: Gen<Value>, seed: UInt64, _ fails: @escaping @Sendable (Value) -> Bool
  ) async -> String? {
    let settings = PropertySettings(cases: 20_000, seed: seed)
    let report = await Property.check("smallest", generator, settings: settings) { value, _ in
      try Property.require(!fails(value))
    }
    return report.failures.first?.description
  }

  @Test func `an alternative that names a special value is left for the simplest`() async {
    let size = Gen<[Int]>.oneOf(
      .element(of: [[1600, 1200], [1000, 3000]]),
      Gens.zip(Gen<Int>.integer(in: 1...5000), .integer(in: 1...5000)).map { [$0, $1] })
    var found: Set<String?> = []
    for seed in 0..<UInt64(10) {
      found.insert(
        await smallest(Gens.zip(size, .integer(in: 0...5000)), seed: seed) { size, place in
          size[1] > size[0] && place > 0
        })
    }
    #expect(found == ["([1000, 3000], 1)"])
  }

  @Test func `numbers that hang together in threes end on one result`() async {
    let number = Gen<Int>.integer(in: 1...2000)
    var found: Set<String?> = []
    for seed in 0..<UInt64(10) {
      found.insert(
        await smallest(Gens.zip(number, number, number), seed: seed) { a, b, c in
          // A larger value of one number needs larger values of the others.
          a * 3 <= b && b * 2 <= c && c % (a + 1) == 0
        })
    }
    #expect(found == ["(1, 3, 6)"])
  }

  @Test func `a number of special interest shrinks like any other`() async {
    let side = Gen<Int>.integer(in: 1...100_000, often: [1600, 3264], share: 0.9)
    let scale = Gen<Double>.double(in: 0.5...4, often: [3, 2.608695652173913], share: 0.9)
    for seed in 0..<UInt64(10) {
      let found = await smallest(Gens.zip(side, scale), seed: seed) { $0 > 1 && $1 > 1 }
      #expect(found == "(2, 2.0)")
    }
  }

  @Test func `special numbers come up as often as was asked for`() {
    let numbers = Gen<Int>.integer(in: 0...1_000_000, often: [77, 99], share: 0.5).sample(2000)
    #expect((900...1100).contains(numbers.count { $0 == 77 || $0 == 99 }))
    let doubles = Gen<Double>.double(in: 0...1, often: [0.3], share: 0.25).sample(2000)
    #expect((400...600).contains(doubles.count { $0 == 0.3 }))
  }

  @Test func `a search takes no more runs than there are left`() async throws {
    var settings = PropertySettings(cases: 100, seed: 1)
    settings.shrinkEvaluations = 30
    let report = await Property.check("few", .integer(in: 0...1_000_000), settings: settings) {
      number, _ in try Property.require(number < 10)
    }
    #expect(try #require(report.failures.first).evaluations <= 30)
  }
}
