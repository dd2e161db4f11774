extension Shrinker {
  /// Calls a function with pairs of numbers whose left number is not the simplest.
  ///
  /// The right one is among the next three numbers, or is a flag directly after the left one, so that the last jump of
  /// a permutation is included. More distant pairs would make the number of attempts quadratic; Hypothesis has the same
  /// limit.
  nonisolated(nonsending) func forEachPair(_ body: nonisolated(nonsending) (Int, Int) async -> Void)
    async
  {
    var left = 0
    while !isStopped, left < best.choices.count {
      let next = left + 1
      if next < best.choices.count, best.choices[next].isFlag, !best.choices[left].isFlag,
        !best.choices[left].isSimplest
      {
        await body(left, next)
      }
      for distance in 0..<3 {
        guard left < best.choices.count, !best.choices[left].isFlag, !best.choices[left].isSimplest
        else { break }
        let later = best.choices.indices[(left + 1)...].lazy.filter {
          !self.best.choices[$0].isFlag
        }
        guard let right = later.dropFirst(distance).first else { break }
        await body(left, right)
      }
      left += 1
    }
  }

  /// Lowers one number and raises a later one by the same amount, which preserves their sum.
  nonisolated(nonsending) func redistribute() async {
    await forEachPair { left, right in
      let original = self.best.choices
      guard let lower = Ladder(original[left]), let higher = Ladder(original[right]),
        lower.hasUnitSteps, higher.hasUnitSteps, lower.height > 0
      else { return }
      let isDown = lower.isNegative
      let works = { (amount: UInt64) -> [Choice]? in
        guard let less = lower.at(lower.height - amount),
          let more = higher.moved(by: amount, downwards: isDown)
        else { return nil }
        return original.replacing(left, with: less).replacing(right, with: more)
      }
      // The greatest possible amount comes first, because it takes a number to a bound.
      let most = min(lower.height, higher.room(downwards: isDown) ?? .max)
      guard most > 0 else { return }
      if let list = works(most), await self.improves(list) { return }
      _ = await findInteger(upTo: most) { amount in
        guard let list = works(amount) else { return false }
        return await self.improves(list)
      }
    }
  }

  /// Lowers two numbers by the same amount, which preserves their difference.
  nonisolated(nonsending) func lowerTogether() async {
    await forEachPair { left, right in
      let original = self.best.choices
      guard !original[right].isFlag, let first = Ladder(original[left]),
        let second = Ladder(original[right]),
        first.hasUnitSteps, second.hasUnitSteps
      else { return }
      let least = min(first.height, second.height)
      await minimize(least, isThorough: false) { rest in
        guard let one = first.at(rest + (first.height - least)),
          let other = second.at(rest + (second.height - least))
        else { return false }
        return await self.improves(
          original.replacing(left, with: one).replacing(right, with: other))
      }
    }
  }

  /// Lowers equal numbers together.
  nonisolated(nonsending) func lowerDuplicates() async {
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
      await lower(equal)
      // Among three or four equal numbers, only two may be related.
      guard improvementCount == before, (3...4).contains(equal.count) else { continue }
      for first in equal.indices {
        for second in equal.indices.dropFirst(first + 1) where improvementCount == before {
          await lower([equal[first], equal[second]])
        }
      }
    }
  }
}

extension Choice {
  /// The decision without its limits, for finding equal ones.
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

/// Finds a great extent to which something works.
///
/// Doubles the extent until it fails, then bisects: about 2 log2(n) attempts for a result of n.
///
/// - Parameters:
///   - most: the greatest extent to try.
///   - works: whether an extent works; called with 1 first.
/// - Returns: An extent that works and whose successor does not, or `most`; 0 if 1 does not work.
nonisolated(nonsending) func findInteger(
  upTo most: UInt64, _ works: nonisolated(nonsending) (UInt64) async -> Bool
) async -> UInt64 {
  guard most >= 1, await works(1) else { return 0 }
  var (good, bad) = (UInt64(1), most)
  while good < most {
    let next = good > most / 2 ? most : good * 2
    guard await works(next) else {
      bad = next
      break
    }
    good = next
  }
  if good == most { return most }
  while bad - good > 1 {
    let middle = good + (bad - good) / 2
    if await works(middle) { good = middle } else { bad = middle }
  }
  return good
}
