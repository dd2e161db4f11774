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

  @Test func `floats and durations stay in their range and shrink to short ones`() async {
    let durations: ClosedRange<Duration> = .nanoseconds(-3)...(.seconds(90))
    expectInvariant(.duration(in: durations), "duration") { durations.contains($0) }
    let floats: ClosedRange<Float> = 0.1...Float(16_777_217)
    expectInvariant(.float(in: floats), "float") { floats.contains($0) }
    #expect(Set(Gen.anyFloat.sample(500).map(\.floatingPointClass)).count > 5)
    for seed in 0..<UInt64(5) {
      let number = await Gen.float(in: -9.0...9).shrunk(seed: seed) { $0 > 0.25 }
      #expect(number == 1)
      let time = await Gen.duration(in: durations).shrunk(seed: seed) { $0 > .milliseconds(1500) }
      #expect(time == .seconds(2))
    }
  }

  @Test func `the generators have the names that users look for`() {
    let pairs = Gen.zip(.int(in: 0...3), Gen.array(of: .int(in: 5...9), count: 1...2))
    expectInvariant(pairs, "pairs") { number, list in
      (0...3).contains(number) && list.allSatisfy { (5...9).contains($0) }
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

/// Tests of ranges at both ends of every integer type, with every end as the simplest number.
@Suite struct IntegerRangeTests {
  /// Draws and shrinks numbers in ranges that touch the ends of a type.
  private func tryRanges<T: FixedWidthInteger & Sendable>(of type: T.Type) async {
    let (low, high) = (T.min, T.max)
    let middle = low / 2 + high / 2
    let ranges: [ClosedRange<T>] = [
      low...low, high...high, low...low + 100, high - 100...high, low...low + 1, high - 1...high,
      low...high, low + 1...high, low...high - 1, low...middle, middle...high, 0...0, 0...1,
      0...high, low...0,
    ]
    for range in ranges {
      for target in [nil, range.lowerBound, range.upperBound, middle] as [T?] {
        let often = [range.lowerBound, range.upperBound]
        let generators = [
          Gen<T>.integer(in: range, shrinkingTowards: target),
          .integer(in: range, shrinkingTowards: target, often: often),
        ]
        let simplest = min(max(target ?? 0, range.lowerBound), range.upperBound)
        for generator in generators {
          let drawn = generator.sample(100, seed: 5)
          #expect(drawn.count == 100 && drawn.allSatisfy(range.contains), "\(type) \(range)")
          #expect(await generator.shrunk(seed: 1) { _ in true } == simplest, "\(type) \(range)")
        }
        guard range.lowerBound < range.upperBound else { continue }
        let found = await generators[0].shrunk(seed: 1) { $0 != simplest }
        // The width decides which neighbour is found, because a wide number is two choices.
        #expect(
          found == simplest &+ 1 || found == simplest &- 1,
          "\(type) \(range) towards \(simplest)")
      }
    }
  }

  @Test func `numbers of every type are drawn and shrink at the ends of the type`() async {
    await tryRanges(of: Int8.self)
    await tryRanges(of: UInt8.self)
    await tryRanges(of: Int16.self)
    await tryRanges(of: UInt16.self)
    await tryRanges(of: Int32.self)
    await tryRanges(of: UInt32.self)
    await tryRanges(of: Int64.self)
    await tryRanges(of: UInt64.self)
    await tryRanges(of: Int.self)
    await tryRanges(of: UInt.self)
    await tryRanges(of: Int128.self)
    await tryRanges(of: UInt128.self)
  }
}
