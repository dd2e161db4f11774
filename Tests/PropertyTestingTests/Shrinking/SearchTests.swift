import PropertyTesting
import Testing

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
