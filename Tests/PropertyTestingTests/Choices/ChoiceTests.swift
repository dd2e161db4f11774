import Testing

@testable import PropertyTesting

/// A random editor of lists of choices, which makes edits that a shrinker would not make.
struct ChoiceEditor {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Returns the list after one to three random edits: a deletion, a duplication, a swap, a simplest choice or an
  /// invalid value.
  mutating func edit(_ list: [Choice]) -> [Choice] {
    var list = list
    for _ in 0...random.next(through: 2) {
      guard !list.isEmpty else { return list }
      let place = Int(random.next(through: UInt64(list.count - 1)))
      switch random.next(through: 5) {
      case 0: list.remove(at: place)
      case 1: list.insert(list[place], at: place)
      case 2: list.swapAt(place, Int(random.next(through: UInt64(list.count - 1))))
      case 3: list[place] = list[place].simplest
      case 4:
        let number = IntegerChoice(
          magnitude: random.next() >> random.next(through: 63),
          isNegative: random.next() >> 63 == 0, below: 1 << 63, above: .max)
        list[place] = .integer(number)
      default:
        let bits = Double(bitPattern: random.next())
        list[place] = .float(FloatChoice(value: bits, low: 0, high: 0, allowsNonFinite: true))
      }
    }
    return list
  }
}

@Suite struct ChoiceOrderTests {
  private static func any(_ number: Double) -> FloatChoice {
    FloatChoice(
      value: number, low: -.greatestFiniteMagnitude, high: .greatestFiniteMagnitude,
      allowsNonFinite: true)
  }

  @Test func `a shorter list is simpler, and at equal length the first difference decides`() {
    let list = { (numbers: [UInt64]) in
      numbers.map { Choice.integer(IntegerChoice(magnitude: $0, below: 0, above: 9)) }
    }
    let sorted = [[], [9], [0, 0], [0, 1], [1, 9], [2, 0], [0, 0, 0]].map(list)
    for (left, right) in zip(sorted, sorted.dropFirst()) {
      #expect(left.isSimpler(than: right) && !right.isSimpler(than: left))
    }
  }

  @Test func `no double of a range is simpler than the simplest`() {
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

  @Test func `doubles are ordered as a person would order them`() {
    let order: [Double] = [
      0, -0.0, 1, -1, 2, 10, 0x1p53 - 1, 0.5, -0.5, 1.5, 0.25, 1.0625, .leastNonzeroMagnitude,
      2e16, 2e20, 1.5e16, .greatestFiniteMagnitude, .infinity, -.infinity, .nan,
    ]
    for (left, right) in Swift.zip(order, order.dropFirst()) {
      #expect(Self.any(left).complexity < Self.any(right).complexity, "\(left), \(right)")
    }
  }
}

@Suite struct ChoiceTreeTests {
  @Test func `the tree predicts the result of a run`() {
    var (known, overruns) = (0, 0)
    for problem in ShrinkProblem.all {
      guard let start = problem.firstFailure(seed: 3) else { continue }
      var tree = ChoiceTree()
      tree.learn(start.choices, start)
      var editor = ChoiceEditor(seed: 8)
      for _ in 0..<60 {
        let list = editor.edit(start.choices)
        let attempt = problem.evaluate(list)
        switch tree.predict(list) {
        case .known(let expected):
          known += 1
          #expect(expected.choices == attempt.choices)
          #expect(expected.outcome == attempt.outcome)
        case .overrun:
          overruns += 1
          #expect(attempt.outcome == .overrun)
        case .unknown: break
        }
        tree.learn(list, attempt)
      }
    }
    // Otherwise a tree that predicts nothing would pass.
    #expect(known > 100)
    #expect(overruns > 100)
  }
}
