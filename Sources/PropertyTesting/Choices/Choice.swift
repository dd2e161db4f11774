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
    case .float(let choice): choice.isSimplest
    }
  }

  /// The same decision with the simplest allowed value.
  package var simplest: Choice {
    switch self {
    case .integer(let choice):
      .integer(IntegerChoice(magnitude: 0, below: choice.below, above: choice.above))
    case .float(let choice): .float(choice.simplest)
    }
  }
}

/// A whole number, written as its signed distance from the simplest number allowed.
///
/// Distances range from -`below` to `above`. The shorter distance is simpler; of two equal distances the positive one.
package struct IntegerChoice: Hashable, Sendable {
  /// The absolute distance from the simplest number.
  package var magnitude: UInt64
  /// Whether the number is below the simplest one; false when `magnitude` is 0.
  package var isNegative: Bool
  /// The greatest distance below the simplest number.
  package let below: UInt64
  /// The greatest distance above the simplest number.
  package let above: UInt64

  /// Creates a choice from numbers that the caller has validated.
  @inline(__always)
  package init(magnitude: UInt64, isNegative: Bool = false, below: UInt64, above: UInt64) {
    self.magnitude = magnitude
    self.isNegative = isNegative && magnitude > 0
    self.below = below
    self.above = above
  }

  /// Whether the distance is within the limits.
  package var isWithinLimits: Bool { magnitude <= (isNegative ? below : above) }

  /// The signed distance, which needs 65 bits.
  package var distance: Int128 { isNegative ? -Int128(magnitude) : Int128(magnitude) }

  /// Returns the same decision at another distance, or nil if the limits do not allow it.
  package func at(_ distance: Int128) -> IntegerChoice? {
    guard distance >= -Int128(below), distance <= Int128(above) else { return nil }
    return IntegerChoice(
      magnitude: UInt64(distance.magnitude), isNegative: distance < 0, below: below, above: above)
  }
}

/// A double within limits.
package struct FloatChoice: Hashable, Sendable {
  /// The chosen number.
  package var value: Double
  /// The least finite number allowed.
  package let low: Double
  /// The greatest finite number allowed.
  package let high: Double
  /// Whether infinities and NaN are also allowed.
  package let allowsNonFinite: Bool

  /// Creates a choice from numbers that the caller has validated.
  @inline(__always)
  package init(value: Double, low: Double, high: Double, allowsNonFinite: Bool = false) {
    self.value = value
    self.low = low
    self.high = high
    self.allowsNonFinite = allowsNonFinite
  }

  /// Whether the limits allow a number.
  package func allows(_ number: Double) -> Bool {
    number.isFinite ? low <= number && number <= high : allowsNonFinite
  }

  /// Whether the number equals the simplest allowed one, bit for bit.
  package var isSimplest: Bool { value.bitPattern == simplest.value.bitPattern }

  /// The same decision with the simplest allowed number.
  package var simplest: FloatChoice { with(Self.simplest(in: low...high)) }

  /// Returns the same decision with another number.
  package func with(_ number: Double) -> FloatChoice {
    FloatChoice(value: number, low: low, high: high, allowsNonFinite: allowsNonFinite)
  }

  /// Compares numbers bit for bit, so that NaN equals itself and -0 differs from 0.
  package static func == (left: FloatChoice, right: FloatChoice) -> Bool {
    left.value.bitPattern == right.value.bitPattern && left.low == right.low
      && left.high == right.high && left.allowsNonFinite == right.allowsNonFinite
  }

  /// Hashes the bits of the number, and its bounds.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(value.bitPattern)
    hasher.combine(low)
    hasher.combine(high)
  }
}

extension Choice {
  /// Whether the decision is strictly simpler than another.
  ///
  /// Whole numbers compare by distance, with the positive first; doubles by `FloatChoice.complexity`; a whole number is
  /// simpler than a double. Limits are ignored, so if two decisions differ only in limits, neither is simpler. Each
  /// decision has finitely many simpler ones; therefore shrinking terminates.
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
  /// Whether the list is strictly simpler than another.
  ///
  /// The shorter list is simpler; of two lists of equal length, the one with the simpler choice at the first
  /// difference.
  package func isSimpler(than other: some RandomAccessCollection<Choice>) -> Bool {
    guard count == other.count else { return count < other.count }
    for (left, right) in zip(self, other) {
      if left.isSimpler(than: right) { return true }
      if right.isSimpler(than: left) { return false }
    }
    return false
  }
}
