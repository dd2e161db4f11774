extension Shrinker {
  /// Lowers a double at some places: to a positive one, to the simplest, to fewer decimal
  /// places, then its digits as one whole number.
  nonisolated(nonsending) func lower(_ choice: FloatChoice, at places: [Int], _ evaluate: Evaluate)
    async
  {
    let original = best.choices
    var current = choice
    if current.value.sign == .minus {
      let positive = choice.with(-choice.value)
      if choice.allows(positive.value),
        await improves(places, to: .float(positive), from: original, evaluate)
      {
        current = positive
      }
    }
    // The places of a decimal go up, so the first that works is the best.
    for candidate in [choice.simplest.value] + candidates(current.value) {
      let next = choice.with(candidate)
      guard choice.allows(candidate), Choice.float(next).isSimpler(than: .float(current)),
        await improves(places, to: .float(next), from: original, evaluate)
      else { continue }
      current = next
      break
    }
    if current.value.isFinite, current.value.magnitude >= FloatChoice.leastHuge {
      current = await lowerZeros(of: current, at: places, from: original, evaluate)
    }
    guard let ladder = Ladder(.float(current)) else { return }
    await minimize(ladder.height) { height in
      await self.improves(places, to: ladder.at(height), from: original, evaluate)
    }
  }

  /// Lowers how many zeros a huge number has: at its digits, then of one digit, one zero
  /// less at the digit 9, which is lowered afterwards.
  nonisolated(nonsending) private func lowerZeros(
    of choice: FloatChoice, at places: [Int], from original: [Choice], _ evaluate: Evaluate
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
        return await self.improves(places, to: fewer, from: original, evaluate)
      })
    let current = number(decimal.digits, zeros) ?? choice
    guard zeros > 0, decimal.count == 1, let next = number(9, zeros - 1),
      await improves(places, to: .float(next), from: original, evaluate)
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
