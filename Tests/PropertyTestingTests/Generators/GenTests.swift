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
        if !holds(value) { Issue.record("\(name): \(value)") }
      }
      let recorded = testCase.choices
      for tail in [TestCase.Tail.overrun, .simplest, .random] {
        let list = editor.edit(recorded)
        testCase.begin(replaying: list, tail: tail, seed: index)
        if let value = try? generator.body(&testCase) {
          if !holds(value) { Issue.record("\(name), edited: \(value)") }
        }
        if tail == .overrun, !testCase.isOverrun, testCase.choices.count > list.count {
          Issue.record("\(name): more choices than the list")
        }
      }
    }
    #expect(made > 20, "\(name)")
  }

  @Test func `numbers stay in their range`() {
    for range in [0.0...1, -2.5 ... -0.1, 1e300...1.5e300, -1e-300...1e-300, 0.1...0.1] {
      expectInvariant(.double(in: range), "\(range)") { range.contains($0) }
    }
    expectInvariant(.finiteDouble, "finite") { $0.isFinite }
    let durations: ClosedRange<Duration> = .nanoseconds(-3)...(.seconds(90))
    expectInvariant(.duration(in: durations), "duration") { durations.contains($0) }
    let floats: ClosedRange<Float> = 0.1...Float(16_777_217)
    expectInvariant(.float(in: floats), "float") { floats.contains($0) }
  }

  @Test func `collections keep their counts`() {
    let digit = Gen.int(in: 0...9)
    expectInvariant(.zip(digit, Gen.array(of: digit, count: 2...5)), "array") { digit, array in
      (2...5).contains(array.count) && (array + [digit]).allSatisfy { (0...9).contains($0) }
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

  @Test func `filters, dependent values, alternatives and trees keep their conditions`() {
    expectInvariant(Gen.int(in: -50...50).filter { $0 % 3 != 0 }, "filter") { $0 % 3 != 0 }
    let halves = Gen.int(in: 0...99).compactMap { $0 % 2 == 0 ? $0 / 2 : nil }
    expectInvariant(halves, "half") { $0 < 50 }
    let dependent = Gen.int(in: 1...6).flatMap { count in
      Gen.array(of: .int(in: 0...count), count: count...count).map { (count, $0) }
    }
    expectInvariant(dependent, "dependent") { count, list in
      list.count == count && list.allSatisfy { $0 <= count }
    }
    expectInvariant(Gen<Int>.element(of: [3, 1, 4]), "element") { [3, 1, 4].contains($0) }
    expectInvariant(Gen<Int>.oneOf(.constant(1), .int(in: 5...6)), "oneOf") {
      [1, 5, 6].contains($0)
    }
    let depths = Gen<Int>.recursive(.constant(0), depth: 3) { inner in
      Gens.zip(inner, inner).map { 1 + max($0, $1) }
    }
    expectInvariant(depths, "depth") { (0...3).contains($0) }
  }

  /// Draws and shrinks numbers in ranges that touch the ends of a type, with each end as the simplest number.
  private func expectRanges<T: FixedWidthInteger & Sendable>(of type: T.Type) async {
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
          expectInvariant(generator, "\(type) \(range)") { range.contains($0) }
          #expect(await generator.shrunk(seed: 1) { _ in true } == simplest, "\(type) \(range)")
        }
        guard range.lowerBound < range.upperBound else { continue }
        let found = await generators[0].shrunk(seed: 1) { $0 != simplest }
        // Which neighbour is found depends on the width, because a wide number is two choices.
        #expect(
          found == simplest &+ 1 || found == simplest &- 1,
          "\(type) \(range) towards \(simplest)")
      }
    }
  }

  private static let integers: [any (FixedWidthInteger & Sendable).Type] = [
    Int8.self, UInt8.self, Int16.self, UInt16.self, Int32.self, UInt32.self, Int64.self,
    UInt64.self, Int128.self, UInt128.self,
  ]

  @Test func `numbers of every type are drawn and shrink at the ends of the type`() async {
    for type in Self.integers { await expectRanges(of: type) }
  }
}
