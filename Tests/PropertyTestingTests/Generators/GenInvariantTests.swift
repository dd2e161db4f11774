import PropertyTesting
import Testing

/// Tests that every edit of the recorded choices still gives a value that the generator can make.
@Suite struct GenInvariantTests {
  private func expectInvariant<Value>(
    _ generator: Gen<Value>, _ name: String, _ holds: (Value) -> Bool
  ) {
    var editor = ChoiceEditor(seed: 11)
    var testCase = TestCase()
    var made = 0
    for index in 0..<UInt64(100) {
      testCase.begin(seed: 9, index: index)
      if let value = try? generator.body(&testCase) {
        made += 1
        #expect(holds(value), "\(name): \(value)")
      }
      let recorded = testCase.choices
      for tail in [TestCase.Tail.overrun, .simplest, .random] {
        let list = editor.edit(recorded)
        testCase.begin(replaying: list, tail: tail, seed: index)
        if let value = try? generator.body(&testCase) {
          #expect(holds(value), "\(name) edited: \(value)")
        }
        #expect(tail != .overrun || testCase.isOverrun || testCase.choices.count <= list.count)
      }
    }
    #expect(made > 20, "\(name)")
  }

  private func expectRange<T: FixedWidthInteger & Sendable>(_ range: ClosedRange<T>) {
    expectInvariant(Gen<T>.integer(in: range), "\(range)") { range.contains($0) }
  }

  @Test func `whole numbers stay in their range`() {
    expectRange(Int.min...Int.max)
    expectRange(Int.min...0)
    expectRange(Int8.min...Int8.max)
    expectRange(UInt64.min...UInt64.max)
    expectRange(UInt64.max - 1...UInt64.max)
    expectRange(Int32(-7)...Int32(3))
    expectRange(5...5)
    expectInvariant(Gen<Int>.integer(in: 3...9, shrinkingTowards: 7), "3...9") {
      (3...9).contains($0)
    }
  }

  @Test func `doubles stay in their range`() {
    for range in [
      0.0...1, -2.5 ... -0.1, 1e300...1.5e300, -1e-300...1e-300,
      0.1...0.1,
    ] {
      expectInvariant(.double(in: range), "\(range)") { range.contains($0) }
    }
    expectInvariant(.finiteDouble, "finite") { $0.isFinite }
  }

  @Test func `collections keep their counts`() {
    let digit = Gen<Int>.integer(in: 0...9)
    expectInvariant(Gen<[Int]>.array(of: digit, count: 2...5), "array") {
      (2...5).contains($0.count) && $0.allSatisfy { (0...9).contains($0) }
    }
    expectInvariant(Gen<Set<Int>>.set(of: digit, count: 1...6), "set") {
      (1...6).contains($0.count)
    }
    expectInvariant(Gen<[Int: Bool]>.dictionary(of: digit, to: .bool, count: 0...4), "pairs") {
      $0.count <= 4
    }
    expectInvariant(Gen<[Int]>.permutation(of: Array(0..<7)), "permutation") {
      $0.sorted() == Array(0..<7)
    }
  }

  @Test func `filters hold`() {
    expectInvariant(Gen<Int>.integer(in: -50...50).filter { $0 % 3 != 0 }, "filter") {
      $0 % 3 != 0
    }
    let text = Gen<[Int]>.array(of: .integer(in: 0...3)).filter { !$0.isEmpty }
    expectInvariant(text, "not empty") { !$0.isEmpty }
    expectInvariant(Gen<Int>.integer(in: 0...99).compactMap { $0 % 2 == 0 ? $0 / 2 : nil }, "half")
    { $0 < 50 }
  }

  @Test func `what depends on a value fits it`() {
    let generator = Gen<Int>.integer(in: 1...6).flatMap { count in
      Gen<[Int]>.array(of: .integer(in: 0...count), count: count...count).map { (count, $0) }
    }
    expectInvariant(generator, "dependent") { count, list in
      list.count == count && list.allSatisfy { $0 <= count }
    }
  }

  @Test func `alternatives are among those given`() {
    expectInvariant(Gen<Int>.element(of: [3, 1, 4]), "element") { [3, 1, 4].contains($0) }
    expectInvariant(Gen<Int>.oneOf(.constant(1), .integer(in: 5...6)), "oneOf") {
      [1, 5, 6].contains($0)
    }
    expectInvariant(
      Gen<Int>.integer(in: 0...3).mixingIn([100, 200], probability: 0.5), "mixed"
    ) { [0, 1, 2, 3, 100, 200].contains($0) }
  }

  @Test func `a tree is no deeper than allowed`() {
    let depths = Gen<Int>.recursive(.constant(0), depth: 3) { inner in
      Gens.zip(inner, inner).map { 1 + max($0, $1) }
    }
    expectInvariant(depths, "depth") { (0...3).contains($0) }
  }

  @Test func `a lent random number generator ends whatever is replayed`() {
    let generator = Gen<[Double]> { testCase throws(Discarded) in
      testCase.withRandom { random in
        // A bound that is not a power of two makes the standard library reject words, including 0.
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
          Double.random(in: 0...9, using: &random)
        }
      }
    }
    expectInvariant(generator, "random") { $0.allSatisfy { (0...9).contains($0) } }
  }
}
