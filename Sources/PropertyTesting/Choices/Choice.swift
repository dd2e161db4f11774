/// One decision of a generator, with the limits within which it was made.
///
/// A case is the list of its choices. Replaying the list replays the case; shrinking edits the list and runs the
/// generator again, whatever the generator consists of (the design of Hypothesis).
package enum Choice: Hashable, Sendable {
  case integer(IntegerChoice)
  case float(FloatChoice)

  /// Whether the limits allow no simpler value.
  package var isSimplest: Bool {
    switch self {
    case .integer(let choice): choice.magnitude == 0
    case .float(let choice): choice.value.bitPattern == choice.simplest.value.bitPattern
    }
  }

  package var simplest: Choice {
    switch self {
    case .integer(let choice): .integer(choice.with(0, isNegative: false))
    case .float(let choice): .float(choice.simplest)
    }
  }
}

/// A whole number, stored as its signed distance from the simplest allowed number.
///
/// Distances range from -`below` to `above`. A shorter distance is simpler; at equal length, a positive one is simpler.
package struct IntegerChoice: Hashable, Sendable {
  package var magnitude: UInt64
  /// Whether the number is below the simplest one; false when `magnitude` is 0.
  package var isNegative: Bool
  package let below, above: UInt64

  /// Creates a choice from numbers that the caller has validated.
  @inline(__always)
  package init(magnitude: UInt64, isNegative: Bool = false, below: UInt64, above: UInt64) {
    (self.magnitude, self.isNegative) = (magnitude, isNegative && magnitude > 0)
    (self.below, self.above) = (below, above)
  }

  package var isWithinLimits: Bool { magnitude <= (isNegative ? below : above) }

  /// The signed distance, which needs 65 bits.
  package var distance: Int128 { isNegative ? -Int128(magnitude) : Int128(magnitude) }

  /// Returns the same decision at another distance, or nil if the limits do not allow it.
  package func at(_ distance: Int128) -> IntegerChoice? {
    guard distance >= -Int128(below), distance <= Int128(above) else { return nil }
    return with(UInt64(distance.magnitude), isNegative: distance < 0)
  }

  /// Returns the same decision at another distance, which may violate the limits.
  @inline(__always)
  func with(_ magnitude: UInt64, isNegative: Bool) -> IntegerChoice {
    IntegerChoice(magnitude: magnitude, isNegative: isNegative, below: below, above: above)
  }
}

package struct FloatChoice: Hashable, Sendable {
  package var value: Double
  /// The least and the greatest finite number allowed.
  package let low, high: Double
  /// Whether infinities and NaN are also allowed.
  package let allowsNonFinite: Bool

  /// Creates a choice from numbers that the caller has validated.
  @inline(__always)
  package init(value: Double, low: Double, high: Double, allowsNonFinite: Bool = false) {
    (self.value, self.low, self.high) = (value, low, high)
    self.allowsNonFinite = allowsNonFinite
  }

  package func allows(_ number: Double) -> Bool {
    number.isFinite ? low <= number && number <= high : allowsNonFinite
  }

  var simplest: FloatChoice { with(Self.simplest(in: low...high)) }

  package func with(_ number: Double) -> FloatChoice {
    FloatChoice(value: number, low: low, high: high, allowsNonFinite: allowsNonFinite)
  }

  /// Compares numbers bit for bit, so that NaN equals itself and -0 differs from 0.
  package static func == (left: FloatChoice, right: FloatChoice) -> Bool {
    left.value.bitPattern == right.value.bitPattern && left.low == right.low
      && left.high == right.high && left.allowsNonFinite == right.allowsNonFinite
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(value.bitPattern) }
}

extension Choice {
  /// Whether the decision is strictly simpler than another.
  ///
  /// Whole numbers compare by distance, with the positive first; doubles by `FloatChoice.complexity`; a whole number is
  /// simpler than a double. Limits are ignored. Each decision has finitely many simpler ones, so shrinking terminates.
  package func isSimpler(than other: Choice) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)):
      left.magnitude < right.magnitude
        || (left.magnitude == right.magnitude && !left.isNegative && right.isNegative)
    case (.float(let left), .float(let right)):
      left.value.bitPattern != right.value.bitPattern && left.complexity < right.complexity
    case (.integer, .float): true
    case (.float, .integer): false
    }
  }
}

extension RandomAccessCollection<Choice> {
  /// Whether the list is strictly simpler than another: shorter or, at equal length, simpler at the first difference.
  package func isSimpler(than other: some RandomAccessCollection<Choice>) -> Bool {
    guard count == other.count else { return count < other.count }
    for (left, right) in zip(self, other) {
      if left.isSimpler(than: right) { return true }
      if right.isSimpler(than: left) { return false }
    }
    return false
  }
}

extension Choice {
  /// Returns a choice with the same limits; the simplest values are the most frequent.
  func nearSimplest(_ random: inout SplitMix64) -> Choice {
    switch self {
    case .integer(let choice): .integer(choice.nearSimplest(&random))
    case .float(let choice): .float(choice.with(choice.nearSimplest(&random)))
    }
  }

  /// Returns a choice with the same limits: a double from the default distribution, or a whole number on a random side
  /// at a uniformly random distance.
  func anyOther(_ random: inout SplitMix64) -> Choice {
    switch self {
    case .integer(let choice):
      let isNegative = choice.below > 0 && (choice.above == 0 || random.next() >> 63 == 0)
      let bound = isNegative ? choice.below : choice.above
      return .integer(choice.with(random.next(through: bound), isNegative: isNegative))
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
    return least + next(through: least - 1)
  }
}

extension IntegerChoice {
  /// Returns a choice at a small distance; if the side has at most 32 distances, half of the choices are uniform.
  func nearSimplest(_ random: inout SplitMix64) -> IntegerChoice {
    let isNegative = below > 0 && (above == 0 || random.next() >> 62 == 0)
    let bound = isNegative ? below : above
    let magnitude =
      bound < 32 && random.next() >> 63 == 0 ? random.next(through: bound) : random.smallNumber()
    return with(min(magnitude, bound), isNegative: isNegative)
  }
}

extension FloatChoice {
  /// Returns a number near the simplest one; their difference is mostly whole, otherwise it has halves or tenths.
  func nearSimplest(_ random: inout SplitMix64) -> Double {
    let base = simplest.value
    let pick = random.next()
    if allowsNonFinite, pick & 15 == 0 {
      return [.infinity, -.infinity, .nan][Int(pick >> 62) % 3]
    }
    let size = Double(random.smallNumber())
    let step =
      switch (pick >> 4) & 7 {
      case 0: Double(1 + random.next(through: 8)) / 10
      case 1: size / 2
      case 2: size + Double(1 + random.next(through: 8)) / 10
      default: size
      }
    let candidates = pick >> 62 == 0 ? [base - step, base + step] : [base + step, base - step]
    return candidates.first(where: allows) ?? [low, high][Int((pick >> 8) & 1)]
  }
}
