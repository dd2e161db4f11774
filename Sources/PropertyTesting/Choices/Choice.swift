/// One decision of a generator, together with what else it could have been.
///
/// A case is the list of its choices. Replaying the list replays the case, and editing the list
/// and running the generator again is how values are shrunk, whatever the generator is made of
/// (the design of Hypothesis).
package enum Choice: Hashable, Sendable {
  case integer(IntegerChoice)
  case float(FloatChoice)

  /// Whether no simpler value is allowed here.
  package var isSimplest: Bool {
    switch self {
    case .integer(let choice): choice.magnitude == 0
    case .float(let choice): choice.isSimplest
    }
  }

  /// The same decision made as simply as it allows.
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
/// A distance reaches from -`below` to `above`; the shorter distance is the simpler, and of two
/// equal ones the positive.
package struct IntegerChoice: Hashable, Sendable {
  /// How far from the simplest number.
  package var magnitude: UInt64
  /// Whether on its lower side; false when `magnitude` is 0.
  package var isNegative: Bool
  /// How far down a distance may go.
  package let below: UInt64
  /// How far up a distance may go.
  package let above: UInt64

  /// A choice with these numbers, which the caller has checked.
  @inline(__always)
  package init(magnitude: UInt64, isNegative: Bool = false, below: UInt64, above: UInt64) {
    self.magnitude = magnitude
    self.isNegative = isNegative && magnitude > 0
    self.below = below
    self.above = above
  }

  /// Whether the distance is within the limits.
  package var isWithinLimits: Bool { magnitude <= (isNegative ? below : above) }

  /// The distance as one number, which 65 bits hold.
  package var distance: Int128 { isNegative ? -Int128(magnitude) : Int128(magnitude) }

  /// The same decision at another distance, or nil when that is not allowed.
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
  /// Whether infinities and NaN are allowed too.
  package let allowsNonFinite: Bool

  /// A choice with these numbers, which the caller has checked.
  @inline(__always)
  package init(value: Double, low: Double, high: Double, allowsNonFinite: Bool = false) {
    self.value = value
    self.low = low
    self.high = high
    self.allowsNonFinite = allowsNonFinite
  }

  /// Whether a number is allowed here.
  package func allows(_ number: Double) -> Bool {
    number.isFinite ? low <= number && number <= high : allowsNonFinite
  }

  /// Whether the number is the very one that is simplest here, bit for bit.
  package var isSimplest: Bool { value.bitPattern == simplest.value.bitPattern }

  /// The same decision made as simply as it allows.
  package var simplest: FloatChoice { with(Self.simplest(in: low...high)) }

  /// The same decision with another number.
  package func with(_ number: Double) -> FloatChoice {
    FloatChoice(value: number, low: low, high: high, allowsNonFinite: allowsNonFinite)
  }

  /// Equal bit for bit, so that NaN equals itself and -0 is not 0.
  package static func == (left: FloatChoice, right: FloatChoice) -> Bool {
    left.value.bitPattern == right.value.bitPattern && left.low == right.low
      && left.high == right.high && left.allowsNonFinite == right.allowsNonFinite
  }

  /// Hashes the bits that equality looks at.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(value.bitPattern)
    hasher.combine(low)
    hasher.combine(high)
  }
}

extension Choice {
  /// Whether the decision is strictly simpler than another.
  ///
  /// Whole numbers by their distance, the positive first; doubles by `FloatChoice.complexity`;
  /// a whole number before a double. Limits do not count, so two decisions of different limits
  /// may both be no simpler than the other. Each decision has finitely many simpler ones, which
  /// is why shrinking ends.
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
  /// Whether a list of decisions is strictly simpler than another.
  ///
  /// The shorter is; of two alike the one whose first different decision is.
  package func isSimpler(than other: some RandomAccessCollection<Choice>) -> Bool {
    guard count == other.count else { return count < other.count }
    for (left, right) in zip(self, other) {
      if left.isSimpler(than: right) { return true }
      if right.isSimpler(than: left) { return false }
    }
    return false
  }
}
