extension Shrinker {
  /// Lowers each number on its own.
  nonisolated(nonsending) func lowerEach() async {
    var index = 0
    while !isStopped, index < best.choices.count {
      if !best.choices[index].isSimplest { await lower([index]) }
      index += 1
    }
  }

  /// Lowers the choices at some places, which are equal, as one.
  nonisolated(nonsending) func lower(_ places: [Int]) async {
    switch best.choices[places[0]] {
    case .integer(let choice): await lower(choice, at: places)
    case .float(let choice): await lower(choice, at: places)
    }
  }

  /// Whether the case stays a failure with a simpler choice at some places.
  nonisolated(nonsending) func improves(
    _ places: [Int], to choice: Choice?, from original: [Choice]
  ) async -> Bool {
    guard let choice, let last = places.last, last < original.count else { return false }
    var list = original
    for place in places { list[place] = choice }
    let trial = await attempt(list)
    if trial.isImprovement { return true }
    // A lower number may ask for less: then what it asked for is taken away behind it, as the
    // end of the list, which now goes unread, may be what fails.
    guard let used = trial.attempt?.choices.count, used < original.count,
      last + 1 + original.count - used <= original.count
    else { return false }
    return await improves(
      list.removing(last + 1..<last + 1 + original.count - used))
  }

  /// Lowers a whole number at some places: to the positive side, its distance, to the other side.
  ///
  /// No 128-bit number lives across an `await`: Swift 6.3.1 then crashes on Linux, as the frame
  /// of an asynchronous closure is not aligned for one.
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
    // The other side below what was found: only the next is tried, and the rest if it works.
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
  /// The same decision at a distance to one side, or nil where that is not allowed.
  fileprivate func at(_ magnitude: UInt64, isNegative: Bool) -> Choice? {
    let moved = IntegerChoice(
      magnitude: magnitude, isNegative: isNegative, below: below, above: above)
    return moved.isWithinLimits ? .integer(moved) : nil
  }
}

extension Shrinker {
  /// Lowers a double at some places: to a positive one, to the simplest, to fewer decimal
  /// places, then its digits as one whole number.
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
    // The places of a decimal go up, so the first that works is the best.
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

  /// Lowers how many zeros a huge number has: at its digits, then of one digit, one zero
  /// less at the digit 9, which is lowered afterwards.
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

  /// Numbers of fewer decimal places below and above a number of either sign; of a huge one those
  /// of fewer digits, of an infinite one those with names, for NaN the infinite ones too.
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

  /// The multiples of a power of ten below and above a decimal.
  private func neighbours(_ decimal: ShortDecimal, exponent: Int) -> [Double] {
    guard let above = decimal.steps(of: exponent), above > 0 else { return [] }
    return [above - 1, above].map { ShortDecimal.number(digits: $0, exponent: exponent) }
  }
}

/// Finds a low number for which something works that works for a given one.
///
/// A number whose neighbour below does not work is taken for the least unless a few numbers that
/// are simple, half as large or the low bits of it do. One whose neighbour works is looked for
/// from the bottom up, as bugs begin at small numbers.
///
/// - Parameters:
///   - start: works, and is not tried.
///   - isThorough: whether to look on where the neighbour does not work.
///   - works: whether a lower number does.
/// - Returns: The lowest that was found to work.
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
  // From the bottom by doubling, then by halving.
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
