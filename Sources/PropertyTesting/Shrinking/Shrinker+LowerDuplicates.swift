extension Shrinker {
  /// Lowers equal numbers together.
  nonisolated(nonsending) func lowerDuplicates(_ evaluate: Evaluate) async {
    var seen: Set<Choice> = []
    var index = 0
    while !isStopped, index < best.choices.count {
      let choice = best.choices[index]
      index += 1
      guard !choice.isSimplest, !choice.isFlag, seen.insert(choice.unlimited).inserted else {
        continue
      }
      let equal = best.choices.indices.filter { best.choices[$0].unlimited == choice.unlimited }
      guard equal.count > 1 else { continue }
      let before = improvementCount
      await lower(equal, evaluate)
      // Of a few, two may belong together and the others not.
      guard improvementCount == before, (3...4).contains(equal.count) else { continue }
      for first in equal.indices {
        for second in equal.indices.dropFirst(first + 1) where improvementCount == before {
          await lower([equal[first], equal[second]], evaluate)
        }
      }
    }
  }
}

extension Choice {
  /// The decision without its limits, to find equal ones.
  fileprivate var unlimited: Choice {
    switch self {
    case .integer(let choice):
      .integer(
        IntegerChoice(
          magnitude: choice.magnitude, isNegative: choice.isNegative, below: 0, above: 0))
    case .float(let choice): .float(FloatChoice(value: choice.value, low: 0, high: 0))
    }
  }
}
