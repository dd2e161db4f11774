internal import BigInt

/// A rational number of any size, for calculations without rounding.
///
/// Fractions are not reduced: after a dozen operations, a number has about a thousand bits.
package struct Exact: FormulaNumber {
  private let numerator: BigInt
  /// The denominator, above zero.
  private let denominator: BigInt

  private init(_ numerator: BigInt, over denominator: BigInt) {
    (self.numerator, self.denominator) = (numerator, denominator)
  }

  package init(_ value: Int) { self.init(BigInt(value), over: 1) }

  /// Creates the exact number of a finite double.
  package init(_ value: Double) {
    precondition(value.isFinite, "NaN and infinity are not rational numbers")
    guard value != 0 else {
      self.init(0)
      return
    }
    // 1 <= significand < 2, with 52 binary places.
    let digits = BigInt(Int64(value.significand * 0x1p52)) * (value < 0 ? -1 : 1)
    let exponent = Int(value.exponent) - 52
    self =
      exponent >= 0
      ? Exact(digits << exponent, over: 1) : Exact(digits, over: BigInt(1) << -exponent)
  }

  package static func + (first: Exact, second: Exact) -> Exact {
    Exact(
      first.numerator * second.denominator + second.numerator * first.denominator,
      over: first.denominator * second.denominator)
  }

  package static func - (first: Exact, second: Exact) -> Exact { first + second * Exact(-1) }

  package static func * (first: Exact, second: Exact) -> Exact {
    Exact(first.numerator * second.numerator, over: first.denominator * second.denominator)
  }

  /// Returns the quotient; the second number is not zero.
  package static func / (first: Exact, second: Exact) -> Exact {
    let sign: BigInt = second.numerator < 0 ? -1 : 1
    return Exact(
      first.numerator * second.denominator * sign,
      over: first.denominator * second.numerator * sign)
  }

  package static func < (first: Exact, second: Exact) -> Bool {
    first.numerator * second.denominator < second.numerator * first.denominator
  }

  package static func == (first: Exact, second: Exact) -> Bool {
    first.numerator * second.denominator == second.numerator * first.denominator
  }

  package var magnitude: Exact { numerator < 0 ? self * Exact(-1) : self }

  /// The number as a double, off by less than two units in its last place.
  package var approximate: Double {
    guard numerator != 0 else { return 0 }
    // 64 bits of quotient.
    let shift = 64 - (numerator.magnitude.bitWidth - denominator.magnitude.bitWidth)
    let quotient =
      shift >= 0
      ? (numerator.magnitude << shift) / denominator.magnitude
      : numerator.magnitude / (denominator.magnitude << -shift)
    // The quotient has 64 or 65 bits; the upper 33 and the lower 32 are added separately.
    let high = Double(UInt64(quotient >> 32))
    let low = Double(UInt64(quotient & 0xFFFF_FFFF))
    let value = Double(sign: .plus, exponent: -shift, significand: high * 0x1p32 + low)
    return numerator < 0 ? -value : value
  }

  /// Returns the magnitude of the difference to a double; infinite for NaN and infinities.
  package func distance(to value: Double) -> Double {
    value.isFinite ? (Exact(value) - self).magnitude.approximate : .infinity
  }
}
