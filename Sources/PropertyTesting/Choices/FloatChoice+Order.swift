// The standard library's rounding calls the C library's.
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension FloatChoice {
  /// From here on every double is a whole number, and neighbours are more than 1 apart.
  package static let leastHuge = 0x1p53

  /// How hard a number is to read: what comes first is simpler.
  ///
  /// Whole numbers by size, then numbers of one decimal place, of two and so on; then the huge
  /// ones by the digits before their zeros; then infinity; then NaN. Of two alike the positive
  /// comes first. Every number has a place of its own, bit for bit.
  package struct Complexity: Comparable, Sendable {
    /// 0 below 2^53, 1 from there, 2 infinite, 3 NaN.
    private let kind: UInt8
    /// Decimal places, or the digits of a huge number.
    private let places: Int
    /// The zeros of a huge number.
    private let zeros: Int
    /// The digits as one whole number, or the bits of NaN.
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

    /// Whether the left is simpler.
    package static func < (left: Complexity, right: Complexity) -> Bool {
      (left.kind, left.places, left.zeros, left.digits, left.isNegative ? 1 : 0)
        < (right.kind, right.places, right.zeros, right.digits, right.isNegative ? 1 : 0)
    }
  }

  /// How hard the number is to read.
  package var complexity: Complexity { Complexity(value) }

  /// The first number of the order of `complexity` that a range holds.
  ///
  /// That is 0 where the range holds it, else the whole number nearest to 0, else the number
  /// nearest to 0 among those of the fewest decimal places; from 2^53 on, where every number is
  /// whole, the one of the fewest digits before the zeros.
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
    // Rounding up the short decimal, not the double, keeps 0.07 from becoming 0.08; the step at
    // the last digit is the number itself, so the search ends.
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
