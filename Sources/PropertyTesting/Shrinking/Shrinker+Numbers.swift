extension Shrinker {
  nonisolated(nonsending) func lowerEach() async {
    var index = 0
    while !isStopped, index < best.choices.count {
      if !best.choices[index].isSimplest { await lower([index]) }
      index += 1
    }
  }

  /// Lowers equal choices at several indices together.
  nonisolated(nonsending) func lower(_ places: [Int]) async {
    switch best.choices[places[0]] {
    case .integer(let choice): await lower(choice, at: places)
    case .float(let choice): await lower(choice, at: places)
    }
  }

  /// Tries a simpler choice at some indices; returns whether the case improved.
  nonisolated(nonsending) func improves(
    _ places: [Int], to choice: Choice?, from original: [Choice]
  ) async -> Bool {
    guard let choice, let last = places.last, last < original.count else { return false }
    var list = original
    for place in places { list[place] = choice }
    let trial = await attempt(list)
    if trial.isImprovement { return true }
    // A lower number may make the generator ask for fewer choices. Then the surplus is deleted after the number.
    // Otherwise the replay would ignore the last choices, and the failure may depend on those.
    guard let used = trial.attempt?.choices.count, used < original.count, last < used else {
      return false
    }
    return await improves(list.removing(last + 1..<last + 1 + original.count - used))
  }

  /// Lowers a whole number at some indices: its sign, its distance, then the distance on the other side.
  ///
  /// No 128-bit number may be live across an `await`: Swift 6.3.1 does not align the frame of an asynchronous closure
  /// for it and crashes on Linux.
  nonisolated(nonsending) private func lower(_ choice: IntegerChoice, at places: [Int]) async {
    let original = best.choices
    @Sendable func at(_ magnitude: UInt64, _ isNegative: Bool) -> Choice? {
      let moved = choice.with(magnitude, isNegative: isNegative)
      return moved.isWithinLimits ? .integer(moved) : nil
    }
    let flips =
      choice.isNegative
      ? await improves(places, to: at(choice.magnitude, false), from: original) : false
    let isNegative = choice.isNegative && !flips
    let least = await minimize(choice.magnitude) { magnitude in
      await self.improves(places, to: at(magnitude, isNegative), from: original)
    }
    // On the other side, the next smaller distance is tried first, and others only if it works.
    guard least > 1, await improves(places, to: at(least - 1, !isNegative), from: original) else {
      return
    }
    await minimize(least - 1) { magnitude in
      await self.improves(places, to: at(magnitude, !isNegative), from: original)
    }
  }

  /// Lowers a double at some indices: first its sign; then to the simplest number or to fewer decimal places; then its
  /// digits as a whole number.
  nonisolated(nonsending) private func lower(_ choice: FloatChoice, at places: [Int]) async {
    let original = best.choices
    var current = choice
    let positive = choice.with(-choice.value)
    if choice.value.sign == .minus, choice.allows(positive.value),
      await improves(places, to: .float(positive), from: original)
    {
      current = positive
    }
    // Candidates are ordered by their number of decimal places, so the first that works is the best.
    for candidate in [choice.simplest.value] + candidates(current.value) {
      let next = choice.with(candidate)
      guard choice.allows(candidate), Choice.float(next).isSimpler(than: .float(current)),
        await improves(places, to: .float(next), from: original)
      else { continue }
      current = next
      break
    }
    if current.value.isFinite, current.value.magnitude >= FloatChoice.leastHuge {
      current = await lowerZeros(of: current, at: places, from: original)
    }
    guard let ladder = Ladder(.float(current)) else { return }
    await minimize(ladder.height) { height in
      await self.improves(places, to: ladder.at(height), from: original)
    }
  }

  /// Lowers the number of trailing zeros of a huge number.
  ///
  /// First the digits are kept. Then a number of one digit is replaced with 9 and one zero less (4e20 with 9e19); the 9
  /// is lowered later.
  nonisolated(nonsending) private func lowerZeros(
    of choice: FloatChoice, at places: [Int], from original: [Choice]
  ) async -> FloatChoice {
    let decimal = ShortDecimal(choice.value)
    let sign: Double = choice.value.sign == .minus ? -1 : 1
    let number = { (digits: UInt64, zeros: Int) -> FloatChoice? in
      let value = sign * ShortDecimal.number(digits: digits, exponent: zeros)
      return choice.allows(value) ? choice.with(value) : nil
    }
    let zeros = Int(
      await minimize(UInt64(max(decimal.exponent, 0))) { zeros in
        let fewer = number(decimal.digits, Int(zeros)).map { Choice.float($0) }
        return await self.improves(places, to: fewer, from: original)
      })
    let current = number(decimal.digits, zeros) ?? choice
    guard zeros > 0, decimal.count == 1, let next = number(9, zeros - 1),
      await improves(places, to: .float(next), from: original)
    else { return current }
    return next
  }

  /// Returns candidates that may be simpler than a number.
  ///
  /// They are its neighbours with fewer decimal places; for a huge number, those with fewer digits; for infinities and
  /// NaN, some well-known numbers and the infinities.
  private func candidates(_ value: Double) -> [Double] {
    let sign: Double = value.sign == .minus ? -1 : 1
    let greatestWhole = FloatChoice.leastHuge - 1
    guard value.isFinite else {
      let ends = [1, greatestWhole, 1e16, .greatestFiniteMagnitude, .infinity]
      return ends.map { sign * $0 } + ends.map { -sign * $0 }
    }
    let decimal = ShortDecimal(value)
    guard value.magnitude < FloatChoice.leastHuge else {
      let lead = decimal.exponent + decimal.count - 1
      let shorter = (0..<decimal.count).flatMap { neighbours(decimal, exponent: lead - $0) }
      return ([greatestWhole, 1e16] + shorter).map { sign * $0 }
    }
    let places = max(0, -decimal.exponent)
    return (0..<places).flatMap { neighbours(decimal, exponent: -$0) }.map { sign * $0 }
  }

  /// Returns the multiples of a power of ten next to a decimal, below and above.
  private func neighbours(_ decimal: ShortDecimal, exponent: Int) -> [Double] {
    guard let above = decimal.steps(of: exponent), above > 0 else { return [] }
    return [above - 1, above].map { ShortDecimal.number(digits: $0, exponent: exponent) }
  }

  /// Calls a function with pairs of numbers whose left number is not the simplest.
  ///
  /// The right number is one of the next three, as in Hypothesis, which keeps the number of attempts linear. It may
  /// also be a flag directly after the left number, such as the last choice of a permutation.
  nonisolated(nonsending) private func forEachPair(
    _ body: nonisolated(nonsending) (Int, Int) async -> Void
  ) async {
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
      // The greatest possible amount is tried first, because it moves a number to a bound.
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
      // Of three or four equal numbers, perhaps only two are related.
      guard improvementCount == before, (3...4).contains(equal.count) else { continue }
      for first in equal.indices {
        for second in equal.indices.dropFirst(first + 1) where improvementCount == before {
          await lower([equal[first], equal[second]])
        }
      }
    }
  }
}

/// Returns a number that works and whose successor does not, or `most`; 0 if 1 does not work.
///
/// Doubles the number until it fails, then bisects: about 2 log2(n) attempts for a result of n.
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

/// Returns a small number that satisfies a condition, given a number that satisfies it.
///
/// First tries 0, then the start minus 1. If neither satisfies the condition, a thorough search also tries 1, the start
/// minus 2, its half and its low bits. If all fail, returns the start. Otherwise searches below the first number that
/// satisfies the condition, in ascending order, because bugs tend to begin at small numbers.
@discardableResult
nonisolated(nonsending) func minimize(
  _ start: UInt64, isThorough: Bool = true,
  _ works: nonisolated(nonsending) (UInt64) async -> Bool
) async -> UInt64 {
  guard start > 0 else { return 0 }
  if await works(0) { return 0 }
  var current = start
  if start > 1, await works(start - 1) {
    current = start - 1
  } else {
    guard isThorough else { return start }
    for candidate in [1, start - min(start, 2), start / 2, start & 0xFF, start & 0xFFFF]
    where candidate > 0 && candidate < start - 1 {
      if await works(candidate) {
        current = candidate
        break
      }
    }
    guard current < start else { return start }
  }
  // Doubles from the bottom until a number works, then bisects.
  var low: UInt64 = 0
  var next: UInt64 = 1
  while next < current {
    if await works(next) {
      current = next
      break
    }
    low = next
    next = next > current / 2 ? current : next * 2
  }
  while current - low > 1 {
    let middle = low + (current - low) / 2
    if await works(middle) { current = middle } else { low = middle }
  }
  return current
}
