/// The values that are simpler than a whole number or a double, as steps down to the simplest one.
package struct Ladder: Sendable {
  private enum Source {
    case integer(IntegerChoice)
    /// A step is 10^`exponent`. The ladder begins `base` steps from 0, at the least allowed magnitude.
    case float(FloatChoice, exponent: Int, base: UInt64)
  }

  private let source: Source
  /// Whether a step up decreases the number.
  package let isNegative: Bool
  /// Whether one step changes the number by 1, so that the steps of several ladders can be added.
  package let hasUnitSteps: Bool
  /// The height of the decision: the number of steps from the least magnitude that its sign allows up to it.
  package let height: UInt64

  /// Creates the ladder of a decision; returns nil for infinities and NaN.
  package init?(_ choice: Choice) {
    switch choice {
    case .integer(let integer):
      source = .integer(integer)
      (isNegative, hasUnitSteps, height) = (integer.isNegative, true, integer.magnitude)
    case .float(let float):
      guard float.value.isFinite else { return nil }
      isNegative = float.value.sign == .minus
      let near = max(isNegative ? -float.high : float.low, 0)
      let decimal = ShortDecimal(float.value)
      let isHuge = float.value.magnitude >= FloatChoice.leastHuge
      let exponent = isHuge ? decimal.exponent : min(decimal.exponent, 0)
      guard let steps = decimal.steps(of: exponent),
        let base = ShortDecimal(near).steps(of: exponent), base <= steps
      else { return nil }
      source = .float(float, exponent: exponent, base: base)
      (hasUnitSteps, height) = (exponent == 0, steps - base)
    }
  }

  /// Returns the decision at another height on the same side, or nil if the limits do not allow it.
  package func at(_ height: UInt64) -> Choice? {
    switch source {
    case .integer(let choice):
      let moved = choice.with(height, isNegative: choice.isNegative)
      return moved.isWithinLimits ? .integer(moved) : nil
    case .float(let choice, let exponent, let base):
      let (steps, overflow) = base.addingReportingOverflow(height)
      guard !overflow else { return nil }
      let size = ShortDecimal.number(digits: steps, exponent: exponent)
      let number = isNegative ? -size : size
      return number.isFinite && choice.allows(number) ? .float(choice.with(number)) : nil
    }
  }

  /// Returns the decision moved by a number of units, or nil if the limits do not allow it.
  package func moved(by amount: UInt64, downwards: Bool) -> Choice? {
    let change = downwards ? -Int128(amount) : Int128(amount)
    switch source {
    case .integer(let choice):
      return choice.at(choice.distance + change).map { .integer($0) }
    case .float(let choice, _, _):
      let number = choice.value + Double(change)
      guard hasUnitSteps, number.magnitude < FloatChoice.leastHuge, choice.allows(number) else {
        return nil
      }
      return .float(choice.with(number))
    }
  }

  /// Returns the greatest amount by which a whole number can be moved; nil for doubles.
  package func room(downwards: Bool) -> UInt64? {
    guard case .integer(let choice) = source else { return nil }
    let bound = downwards ? -Int128(choice.below) : Int128(choice.above)
    return UInt64(clamping: (bound - choice.distance).magnitude)
  }
}

extension FloatChoice {
  /// The number from which neighbouring doubles are more than 1 apart: 2^53.
  package static let leastHuge = 0x1p53

  /// The rank of the number by how hard it is to read; a lower rank is simpler.
  ///
  /// The order is: whole numbers by size; numbers with one decimal place, with two and so on; numbers from 2^53 on, by
  /// the count of digits before their trailing zeros; infinity; NaN. A positive number is simpler than its negative.
  /// Numbers with different bits have different ranks.
  package var complexity: (kind: Int, places: Int, zeros: Int, digits: UInt64, sign: Int) {
    let (size, sign) = (value.magnitude, value.sign == .minus ? 1 : 0)
    guard value.isFinite else {
      return value.isNaN ? (3, 0, 0, value.bitPattern, sign) : (2, 0, 0, 0, sign)
    }
    let isHuge = size >= Self.leastHuge
    if !isHuge, size == size.rounded(.down) { return (0, 0, 0, UInt64(size), sign) }
    let decimal = ShortDecimal(size)
    return isHuge
      ? (1, decimal.count, decimal.exponent, decimal.digits, sign)
      : (0, -decimal.exponent, 0, decimal.digits, sign)
  }

  /// Returns the simplest number of a range, in the order of `complexity`.
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
    // Rounds up the digits of the short decimal, because the double 0.07 * 100 is slightly above 7
    // and would become 8. The search ends, because the last digit's step yields the number itself.
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

/// The magnitude of a finite double as its shortest decimal.
package struct ShortDecimal: Hashable, Sendable {
  /// The digits as a whole number that does not end in 0, or 0 itself.
  package let digits: UInt64
  /// The exponent of the power of ten by which the digits are multiplied.
  package let exponent: Int

  /// Creates the shortest decimal that parses to the magnitude of the given number, which must be finite.
  ///
  /// It parses the number's description, because the standard library prints the shortest decimal (SwiftDtoa).
  package init(_ number: Double) {
    let parts = number.magnitude.description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    let fraction = mantissa.dropFirst().first ?? ""
    // At most 17 digits: from 1e16 on, a description has an exponent.
    var digits = UInt64(mantissa[0] + fraction) ?? 0
    var exponent = (parts.dropFirst().first.flatMap { Int($0) } ?? 0) - fraction.count
    if digits == 0 { exponent = 0 }
    while digits > 0, digits.isMultiple(of: 10) {
      digits /= 10
      exponent += 1
    }
    (self.digits, self.exponent) = (digits, exponent)
  }

  /// The number of digits; 1 for 0.
  package var count: Int { max(String(digits).utf8.count, 1) }

  /// Returns the double nearest to a whole number times a power of ten; infinity beyond the greatest finite one.
  package static func number(digits: UInt64, exponent: Int) -> Double {
    // The standard library parses a decimal to the nearest double.
    Double("\(digits)e\(exponent)") ?? .infinity
  }

  /// Returns the number of steps of 10^`step` in the decimal, rounded up; nil if it exceeds 64 bits.
  package func steps(of step: Int) -> UInt64? {
    var steps = digits
    var isExact = true
    for _ in 0..<max(step - exponent, 0) where steps > 0 {
      isExact = isExact && steps.isMultiple(of: 10)
      steps /= 10
    }
    if !isExact { return steps + 1 }
    for _ in 0..<max(exponent - step, 0) {
      let (product, overflow) = steps.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      steps = product
    }
    return steps
  }
}
