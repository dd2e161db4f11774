/// An integer of any size, with the operations that `Exact` needs.
struct WideInteger: Comparable {
  /// The digits of the magnitude to the base 2^32, lowest first, without zeros at the end; none for zero.
  private var digits: [UInt32]

  let isNegative: Bool

  private init(_ digits: [UInt32], isNegative: Bool) {
    var digits = digits
    Self.trim(&digits)
    self.digits = digits
    self.isNegative = isNegative && !digits.isEmpty
  }

  init(_ value: Int) {
    let magnitude = UInt64(value.magnitude)
    self.init(
      [UInt32(truncatingIfNeeded: magnitude), UInt32(truncatingIfNeeded: magnitude >> 32)],
      isNegative: value < 0)
  }

  var isZero: Bool { digits.isEmpty }

  var magnitude: WideInteger { WideInteger(digits, isNegative: false) }

  /// The number of bits of the magnitude.
  var bitWidth: Int { 32 * digits.count - (digits.last?.leadingZeroBitCount ?? 0) }

  static prefix func - (value: WideInteger) -> WideInteger {
    WideInteger(value.digits, isNegative: !value.isNegative)
  }

  static func + (first: WideInteger, second: WideInteger) -> WideInteger {
    guard first.isNegative != second.isNegative else {
      return WideInteger(sum(first.digits, second.digits), isNegative: first.isNegative)
    }
    let isLess = precedes(first.digits, second.digits)
    var larger = isLess ? second : first
    subtract(isLess ? first.digits : second.digits, from: &larger.digits)
    return WideInteger(larger.digits, isNegative: larger.isNegative)
  }

  static func * (first: WideInteger, second: WideInteger) -> WideInteger {
    var result = [UInt32](repeating: 0, count: first.digits.count + second.digits.count)
    for (place, digit) in first.digits.enumerated() {
      var carry: UInt64 = 0
      for (offset, other) in second.digits.enumerated() {
        // At most (2^32 - 1)^2 + 2 * (2^32 - 1), which is 2^64 - 1.
        carry += UInt64(digit) * UInt64(other) + UInt64(result[place + offset])
        result[place + offset] = UInt32(truncatingIfNeeded: carry)
        carry >>= 32
      }
      result[place + second.digits.count] = UInt32(carry)
    }
    return WideInteger(result, isNegative: first.isNegative != second.isNegative)
  }

  /// Returns the integer times a power of two, whose exponent is not negative.
  static func << (value: WideInteger, exponent: Int) -> WideInteger {
    var result = [UInt32](repeating: 0, count: exponent / 32)
    var carry: UInt64 = 0
    for digit in value.digits {
      carry |= UInt64(digit) << UInt64(exponent % 32)
      result.append(UInt32(truncatingIfNeeded: carry))
      carry >>= 32
    }
    result.append(UInt32(carry))
    return WideInteger(result, isNegative: value.isNegative)
  }

  static func < (first: WideInteger, second: WideInteger) -> Bool {
    guard first.isNegative == second.isNegative else { return first.isNegative }
    return first.isNegative
      ? precedes(second.digits, first.digits) : precedes(first.digits, second.digits)
  }

  /// Returns the quotient of two magnitudes, rounded down.
  ///
  /// The dividend has at least as many bits as the divisor, and at most 100 more.
  static func quotient(_ dividend: WideInteger, by divisor: WideInteger) -> UInt128 {
    let steps = dividend.bitWidth - divisor.bitWidth
    precondition(
      (0...100).contains(steps) && !divisor.isZero,
      "the divisor must not be 0, and the dividend must have 0 to 100 more bits")
    var rest = dividend.digits
    var part = (divisor << steps).digits
    var quotient: UInt128 = 0
    for _ in 0...steps {
      quotient <<= 1
      if !precedes(rest, part) {
        subtract(part, from: &rest)
        quotient |= 1
      }
      halve(&part)
    }
    return quotient
  }

  private static func trim(_ digits: inout [UInt32]) {
    while digits.last == 0 { digits.removeLast() }
  }

  private static func precedes(_ one: [UInt32], _ other: [UInt32]) -> Bool {
    guard one.count == other.count else { return one.count < other.count }
    for place in one.indices.reversed() where one[place] != other[place] {
      return one[place] < other[place]
    }
    return false
  }

  private static func sum(_ one: [UInt32], _ other: [UInt32]) -> [UInt32] {
    let count = max(one.count, other.count)
    var result: [UInt32] = []
    result.reserveCapacity(count + 1)
    var carry: UInt64 = 0
    for place in 0..<count {
      carry += UInt64(place < one.count ? one[place] : 0)
      carry += UInt64(place < other.count ? other[place] : 0)
      result.append(UInt32(truncatingIfNeeded: carry))
      carry >>= 32
    }
    result.append(UInt32(carry))
    return result
  }

  /// Subtracts a magnitude from one that is not less.
  private static func subtract(_ smaller: [UInt32], from larger: inout [UInt32]) {
    var borrow: UInt64 = 0
    for place in larger.indices {
      let digit = UInt64(larger[place])
      let taken = UInt64(place < smaller.count ? smaller[place] : 0) + borrow
      larger[place] = UInt32(truncatingIfNeeded: digit &- taken)
      borrow = digit < taken ? 1 : 0
    }
    trim(&larger)
  }

  private static func halve(_ digits: inout [UInt32]) {
    var carry: UInt32 = 0
    for place in digits.indices.reversed() {
      let digit = digits[place]
      digits[place] = (digit >> 1) | (carry << 31)
      carry = digit & 1
    }
    trim(&digits)
  }
}
