// The standard library's `rounded` calls the C library.
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension FloatChoice {
  /// The least number from which on every double is whole; greater neighbours are more than 1 apart.
  package static let leastHuge = 0x1p53

  /// A rank of numbers by how hard they are to read; a lower rank is simpler.
  ///
  /// The order is: whole numbers by size; numbers with one decimal place, with two and so on; numbers from 2^53 on, by
  /// the count of digits before their trailing zeros; infinity; NaN. Of a number and its negative, the positive is
  /// simpler. Numbers with different bits have different ranks.
  package struct Complexity: Comparable, Sendable {
    /// 0 for finite numbers below 2^53, 1 for finite numbers from there on, 2 for infinity, 3 for NaN.
    private let kind: UInt8
    /// The number of decimal places, or of the digits of a huge number.
    private let places: Int
    /// The number of trailing zeros of a huge number.
    private let zeros: Int
    /// The digits as a whole number, or the bits of NaN.
    private let digits: UInt64
    private let isNegative: Bool

    init(_ number: Double) {
      isNegative = number.sign == .minus
      guard number.isFinite else {
        (kind, places, zeros) = (number.isNaN ? 3 : 2, 0, 0)
        digits = number.isNaN ? number.bitPattern : 0
        return
      }
      let size = number.magnitude
      if size < FloatChoice.leastHuge, size == size.rounded(.towardZero) {
        (kind, places, zeros, digits) = (0, 0, 0, UInt64(size))
        return
      }
      let decimal = ShortDecimal(size)
      digits = decimal.digits
      if size < FloatChoice.leastHuge {
        (kind, places, zeros) = (0, -decimal.exponent, 0)
      } else {
        (kind, places, zeros) = (1, decimal.count, decimal.exponent)
      }
    }

    /// Whether the left rank is simpler.
    package static func < (left: Complexity, right: Complexity) -> Bool {
      (left.kind, left.places, left.zeros, left.digits, left.isNegative ? 1 : 0)
        < (right.kind, right.places, right.zeros, right.digits, right.isNegative ? 1 : 0)
    }
  }

  /// The rank of the number by how hard it is to read.
  package var complexity: Complexity { Complexity(value) }

  /// Returns the simplest number of a range, in the order of `complexity`.
  ///
  /// That is 0 if the range contains it, else the whole number nearest to 0, else the number nearest to 0 with the
  /// fewest decimal places. In a range beyond 2^53, it is the number with the fewest digits before its zeros.
  package static func simplest(in range: ClosedRange<Double>) -> Double {
    if range.contains(0) { return 0 }
    let isNegative = range.upperBound < 0
    let near = isNegative ? -range.upperBound : range.lowerBound
    let far = isNegative ? -range.lowerBound : range.upperBound
    let found = simplest(from: near, to: far)
    return isNegative ? -found : found
  }

  private static func simplest(from near: Double, to far: Double) -> Double {
    let decimal = ShortDecimal(near)
    let lead = decimal.exponent + decimal.count - 1
    // Rounding up the short decimal instead of the double keeps 0.07 from becoming 0.08. The step at the last digit is
    // the number itself, so the search ends.
    var exponent = near < leastHuge ? 0 : lead
    while exponent > decimal.exponent {
      if let steps = decimal.steps(of: exponent) {
        let candidate = ShortDecimal.number(digits: steps, exponent: exponent)
        if candidate <= far, candidate >= near { return candidate }
      }
      exponent -= 1
    }
    return near
  }
}
