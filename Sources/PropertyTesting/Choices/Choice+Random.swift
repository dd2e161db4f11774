extension Choice {
  /// Returns a choice with the same limits, drawn so that the simplest values are the most frequent.
  package func nearSimplest(_ random: inout SplitMix64) -> Choice {
    switch self {
    case .integer(let choice): .integer(choice.nearSimplest(&random))
    case .float(let choice): .float(choice.with(choice.nearSimplest(&random)))
    }
  }
}

extension Choice {
  /// Returns a choice with the same limits: a double from the default distribution, or a whole number on either side
  /// with equal probability and then at any distance.
  func anyOther(_ random: inout SplitMix64) -> Choice {
    switch self {
    case .integer(let choice):
      let isNegative = choice.below > 0 && (choice.above == 0 || random.next() >> 63 == 0)
      let bound = isNegative ? choice.below : choice.above
      return .integer(
        IntegerChoice(
          magnitude: random.next(upTo: bound), isNegative: isNegative, below: choice.below,
          above: choice.above))
    case .float(let choice): return .float(choice.with(random.double(in: choice.low...choice.high)))
    }
  }
}

extension SplitMix64 {
  /// Returns 0 in half of the calls, 1 in a quarter, and larger numbers ever more rarely.
  fileprivate mutating func smallNumber() -> UInt64 {
    let bits = next().leadingZeroBitCount
    guard bits > 2 else { return UInt64(bits) }
    let least = UInt64(1) << UInt64(min(bits - 2, 62))
    return least + next(upTo: least - 1)
  }
}

extension IntegerChoice {
  /// Returns a choice at a small distance; on a side of at most 32 distances, half of the time at any of them.
  func nearSimplest(_ random: inout SplitMix64) -> IntegerChoice {
    let isNegative = below > 0 && (above == 0 || random.next() >> 62 == 0)
    let bound = isNegative ? below : above
    let magnitude =
      bound < 32 && random.next() >> 63 == 0 ? random.next(upTo: bound) : random.smallNumber()
    return IntegerChoice(
      magnitude: min(magnitude, bound), isNegative: isNegative, below: below, above: above)
  }
}

extension FloatChoice {
  /// Returns a number near the simplest one, mostly a whole step away, otherwise halves or tenths.
  func nearSimplest(_ random: inout SplitMix64) -> Double {
    let base = simplest.value
    let pick = random.next()
    if allowsNonFinite, pick & 15 == 0 {
      return [.infinity, -.infinity, .nan][Int(pick >> 62) % 3]
    }
    let size = Double(random.smallNumber())
    let step =
      switch (pick >> 4) & 7 {
      case 0: Double(1 + random.next(upTo: 8)) / 10
      case 1: size / 2
      case 2: size + Double(1 + random.next(upTo: 8)) / 10
      default: size
      }
    let candidates = pick >> 62 == 0 ? [base - step, base + step] : [base + step, base - step]
    return candidates.first(where: allows)
      ?? [low, high][Int((pick >> 8) & 1)]
  }
}
