extension Shrinker {
  /// Lowers each number separately.
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
    // A lower number may make the generator ask for fewer choices. Then the surplus is deleted after the number,
    // because the end of the list, which would now be ignored, may cause the failure.
    guard let used = trial.attempt?.choices.count, used < original.count,
      last + 1 + original.count - used <= original.count
    else { return false }
    return await improves(
      list.removing(last + 1..<last + 1 + original.count - used))
  }

  /// Lowers a whole number at some indices: its sign, its distance, then the distance on the other side.
  ///
  /// No 128-bit number may be live across an `await`: Swift 6.3.1 does not align the frame of an asynchronous closure
  /// for it and crashes on Linux.
  nonisolated(nonsending) func lower(
    _ choice: IntegerChoice, at places: [Int]
  ) async {
    let original = best.choices
    var (current, isNegative) = (choice.magnitude, choice.isNegative)
    if isNegative {
      let opposite = choice.at(current, isNegative: false)
      isNegative = await !improves(places, to: opposite, from: original)
    }
    let isBelow = isNegative
    current = await minimize(current) { magnitude in
      let lower = choice.at(magnitude, isNegative: isBelow)
      return await self.improves(places, to: lower, from: original)
    }
    // On the other side only the next smaller distance is tried first, and the rest if it works.
    guard current > 1 else { return }
    let rest = choice.at(current - 1, isNegative: !isBelow)
    guard await improves(places, to: rest, from: original) else { return }
    await minimize(current - 1) { magnitude in
      let lower = choice.at(magnitude, isNegative: !isBelow)
      return await self.improves(places, to: lower, from: original)
    }
  }
}

extension IntegerChoice {
  /// Returns the same decision at a distance on one side, or nil if the limits do not allow it.
  fileprivate func at(_ magnitude: UInt64, isNegative: Bool) -> Choice? {
    let moved = IntegerChoice(
      magnitude: magnitude, isNegative: isNegative, below: below, above: above)
    return moved.isWithinLimits ? .integer(moved) : nil
  }
}

extension Shrinker {
  /// Lowers a double at some indices: its sign, then to the simplest number or to fewer decimal places, then its digits
  /// as a whole number.
  nonisolated(nonsending) func lower(_ choice: FloatChoice, at places: [Int])
    async
  {
    let original = best.choices
    var current = choice
    if current.value.sign == .minus {
      let positive = choice.with(-choice.value)
      if choice.allows(positive.value),
        await improves(places, to: .float(positive), from: original)
      {
        current = positive
      }
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

  /// Lowers the number of zeros of a huge number: first with the same digits; then, for a single digit, to one zero
  /// less after the digit 9, which is lowered later.
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
  /// They are its neighbours with fewer decimal places; for a huge number those with fewer digits; for infinities and
  /// NaN some well-known numbers and the infinities.
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
}

/// Finds a small number that satisfies a condition, given a number that satisfies it.
///
/// If the start minus 1 fails, only 1, the start minus 2, its half and its low bits are tried, and the start is
/// returned if they all fail. Otherwise the search goes from the bottom up, because bugs tend to begin at small
/// numbers.
///
/// - Parameters:
///   - start: satisfies the condition, and is not tried.
///   - isThorough: whether to try other numbers if the start minus 1 fails.
///   - works: the condition.
/// - Returns: The smallest number found that satisfies the condition.
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
