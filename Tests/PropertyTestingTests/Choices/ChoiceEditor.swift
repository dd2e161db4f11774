import PropertyTesting

/// A random editor of lists of choices, which makes edits that a shrinker would not make.
struct ChoiceEditor {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Returns the list after one to three random edits: deletions, duplications, swaps, simplest choices or invalid
  /// values.
  mutating func edit(_ list: [Choice]) -> [Choice] {
    var list = list
    for _ in 0...random.next(upTo: 2) {
      guard !list.isEmpty else { return list }
      let place = Int(random.next(upTo: UInt64(list.count - 1)))
      switch random.next(upTo: 5) {
      case 0: list.remove(at: place)
      case 1: list.insert(list[place], at: place)
      case 2: list.swapAt(place, Int(random.next(upTo: UInt64(list.count - 1))))
      case 3: list[place] = list[place].simplest
      case 4:
        let number = IntegerChoice(
          magnitude: random.next() >> random.next(upTo: 63), isNegative: random.next() >> 63 == 0,
          below: 1 << 63, above: .max)
        list[place] = .integer(number)
      default:
        let bits = Double(bitPattern: random.next())
        list[place] = .float(FloatChoice(value: bits, low: 0, high: 0, allowsNonFinite: true))
      }
    }
    return list
  }
}
