/// A rational number of any size, for calculations without rounding.
///
/// Fractions are not reduced: after a dozen operations, a number has about a thousand bits.
package struct Exact: FormulaNumber {
  private let numerator: WideInteger
  /// The denominator, above zero.
  private let denominator: WideInteger

  private init(_ numerator: WideInteger, over denominator: WideInteger) {
    (self.numerator, self.denominator) = (numerator, denominator)
  }

  package init(_ value: Int) { self.init(WideInteger(value), over: WideInteger(1)) }

  package init(_ value: Double) {
    precondition(value.isFinite, "NaN and infinity are not rational numbers")
    guard value != 0 else {
      self.init(0)
      return
    }
    // 1 <= significand < 2, with 52 binary places.
    let digits = WideInteger(Int(value.significand * 0x1p52) * (value < 0 ? -1 : 1))
    let exponent = Int(value.exponent) - 52
    self =
      exponent >= 0
      ? Exact(digits << exponent, over: WideInteger(1))
      : Exact(digits, over: WideInteger(1) << -exponent)
  }

  package static func + (first: Exact, second: Exact) -> Exact {
    Exact(
      first.numerator * second.denominator + second.numerator * first.denominator,
      over: first.denominator * second.denominator)
  }

  package static func - (first: Exact, second: Exact) -> Exact {
    first + Exact(-second.numerator, over: second.denominator)
  }

  package static func * (first: Exact, second: Exact) -> Exact {
    Exact(first.numerator * second.numerator, over: first.denominator * second.denominator)
  }

  /// Returns the quotient; the second number is not zero.
  package static func / (first: Exact, second: Exact) -> Exact {
    let numerator = first.numerator * second.denominator
    return Exact(
      second.numerator.isNegative ? -numerator : numerator,
      over: first.denominator * second.numerator.magnitude)
  }

  package static func < (first: Exact, second: Exact) -> Bool {
    first.numerator * second.denominator < second.numerator * first.denominator
  }

  package static func == (first: Exact, second: Exact) -> Bool {
    first.numerator * second.denominator == second.numerator * first.denominator
  }

  package var magnitude: Exact { Exact(numerator.magnitude, over: denominator) }

  /// The number as a double, off by less than two units in its last place.
  package var approximate: Double {
    guard !numerator.isZero else { return 0 }
    // The quotient has 64 or 65 bits; the upper 33 and the lower 32 are added separately.
    let shift = 64 - (numerator.bitWidth - denominator.bitWidth)
    let quotient = WideInteger.quotient(
      numerator << max(0, shift), by: denominator << max(0, -shift))
    let high = Double(UInt64(quotient >> 32))
    let low = Double(UInt64(quotient & 0xFFFF_FFFF))
    let value = Double(sign: .plus, exponent: -shift, significand: high * 0x1p32 + low)
    return numerator.isNegative ? -value : value
  }

  /// Returns the magnitude of the difference to a double; infinite for NaN and infinities.
  package func distance(to value: Double) -> Double {
    value.isFinite ? (Exact(value) - self).magnitude.approximate : .infinity
  }
}
