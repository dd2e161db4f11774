import PropertyTesting
import Testing

@Suite struct ChoiceOrderTests {
  /// Decisions of many kinds; some differ only in their limits.
  private static let choices: [Choice] = {
    let integers = Gen<Int>.anyInteger.sample(40, seed: 1).map { number in
      Choice.integer(
        IntegerChoice(
          magnitude: UInt64(number.magnitude), isNegative: number < 0, below: 1 << 63,
          above: .max))
    }
    let small = (0..<5).map { Choice.integer(IntegerChoice(magnitude: $0, below: 9, above: 9)) }
    let floats =
      Gen.anyDouble.sample(60, seed: 2) + [0, -0.0, 1, -1, 0.5, 1e300, .leastNonzeroMagnitude]
    return integers + small + floats.map { Choice.float(any($0)) }
  }()

  private static func any(_ number: Double) -> FloatChoice {
    FloatChoice(
      value: number, low: -.greatestFiniteMagnitude, high: .greatestFiniteMagnitude,
      allowsNonFinite: true)
  }

  @Test func `of two decisions at most one is simpler`() {
    for left in Self.choices {
      #expect(!left.isSimpler(than: left))
      for right in Self.choices where left.isSimpler(than: right) {
        #expect(!right.isSimpler(than: left))
      }
    }
  }

  @Test func `what is simpler than a simpler one is simpler`() {
    let sorted = Self.choices.sorted { $0.isSimpler(than: $1) }
    for first in sorted.indices {
      for later in sorted.indices[first...] {
        #expect(!sorted[later].isSimpler(than: sorted[first]))
      }
    }
  }

  @Test func `nothing is simpler than the simplest of its limits`() {
    for choice in Self.choices {
      #expect(choice.simplest.isSimplest)
      #expect(!choice.isSimpler(than: choice.simplest))
    }
  }

  @Test func `the simplest double of a range comes before all others there`() {
    let ends = Gen<(Double, Double)>.init { testCase throws(Discarded) in
      let scale = [1.0, 1e-3, 1e3, 1e17, 1e-300][testCase.integer(in: 0...4)]
      let ends = [testCase.double(in: -3...3) * scale, testCase.double(in: -3...3) * scale]
      return (ends.min() ?? 0, ends.max() ?? 0)
    }
    for (low, high) in ends.sample(300, seed: 4) where low < high {
      let simplest = FloatChoice.simplest(in: low...high)
      #expect((low...high).contains(simplest))
      for other in Gen.double(in: low...high).sample(30, seed: 5) {
        #expect(
          !Choice.float(Self.any(other)).isSimpler(than: .float(Self.any(simplest))),
          "\(other) before \(simplest) in \(low)...\(high)")
      }
    }
  }

  @Test func `doubles come in the order a person would give them`() {
    let order: [Double] = [
      0, -0.0, 1, -1, 2, 10, 0x1p53 - 1, 0.5, -0.5, 1.5, 0.25, 1.0625, .leastNonzeroMagnitude, 2e16,
      2e20,
      1.5e16, .greatestFiniteMagnitude, .infinity, -.infinity, .nan,
    ]
    for (left, right) in Swift.zip(order, order.dropFirst()) {
      #expect(Self.any(left).complexity < Self.any(right).complexity, "\(left), \(right)")
    }
  }

  @Test func `a shorter list is simpler whatever it holds`() {
    let long = Array(
      repeating: Choice.integer(IntegerChoice(magnitude: 0, below: 0, above: 9)), count: 3)
    let short = Array(Self.choices.suffix(2))
    #expect(short.isSimpler(than: long))
    #expect(!long.isSimpler(than: short))
    #expect(!long.isSimpler(than: long))
  }

  @Test func `of two lists alike in length the first difference decides`() {
    let number = { Choice.integer(IntegerChoice(magnitude: $0, below: 0, above: 9)) }
    #expect([number(1), number(9)].isSimpler(than: [number(2), number(0)]))
    #expect(![number(2), number(0)].isSimpler(than: [number(1), number(9)]))
    #expect([number(1), number(0)].isSimpler(than: [number(1), number(1)]))
  }
}
