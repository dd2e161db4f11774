extension Shrinker {
  /// Lowers a whole number at some places: to the positive side, its distance, to the other side.
  ///
  /// No 128-bit number lives across an `await`: Swift 6.3.1 then crashes on Linux, as the frame
  /// of an asynchronous closure is not aligned for one.
  nonisolated(nonsending) func lower(
    _ choice: IntegerChoice, at places: [Int], _ evaluate: Evaluate
  ) async {
    let original = best.choices
    var (current, isNegative) = (choice.magnitude, choice.isNegative)
    if isNegative {
      let opposite = choice.at(current, isNegative: false)
      isNegative = await !improves(places, to: opposite, from: original, evaluate)
    }
    let isBelow = isNegative
    current = await minimize(current) { magnitude in
      let lower = choice.at(magnitude, isNegative: isBelow)
      return await self.improves(places, to: lower, from: original, evaluate)
    }
    // The other side below what was found: only the next is tried, and the rest if it works.
    guard current > 1 else { return }
    let rest = choice.at(current - 1, isNegative: !isBelow)
    guard await improves(places, to: rest, from: original, evaluate) else { return }
    await minimize(current - 1) { magnitude in
      let lower = choice.at(magnitude, isNegative: !isBelow)
      return await self.improves(places, to: lower, from: original, evaluate)
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
