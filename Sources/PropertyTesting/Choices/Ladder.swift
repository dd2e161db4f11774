/// The simpler numbers that one decision could have been, as steps down to the simplest.
///
/// What lowers a number needs not know whether it is a whole one or a double of some decimal
/// places.
package struct Ladder: Sendable {
  private enum Source {
    case integer(IntegerChoice)
    /// Steps of a power of ten, `base` of them below the lowest step allowed.
    case float(FloatChoice, isNegative: Bool, exponent: Int, base: UInt64)
  }

  private let source: Source
  /// How many steps the decision stands above the lowest on its side of the simplest.
  package let height: UInt64

  /// The steps under a decision, or nil for infinities and NaN.
  package init?(_ choice: Choice) {
    switch choice {
    case .integer(let integer):
      source = .integer(integer)
      height = integer.magnitude
    case .float(let float):
      guard float.value.isFinite else { return nil }
      let isNegative = float.value.sign == .minus
      let near = max(isNegative ? -float.high : float.low, 0)
      let decimal = ShortDecimal(float.value)
      let isHuge = float.value.magnitude >= FloatChoice.leastHuge
      let exponent = isHuge ? decimal.exponent : min(decimal.exponent, 0)
      guard let steps = decimal.steps(of: exponent),
        let base = ShortDecimal(near).steps(of: exponent), base <= steps
      else { return nil }
      source = .float(float, isNegative: isNegative, exponent: exponent, base: base)
      height = steps - base
    }
  }

  /// Whether a step is worth 1, so that sums over several ladders mean something.
  package var hasUnitSteps: Bool {
    switch source {
    case .integer: true
    case .float(_, _, let exponent, _): exponent == 0
    }
  }

  /// Whether a step up is a step towards smaller numbers.
  package var isNegative: Bool {
    switch source {
    case .integer(let choice): choice.isNegative
    case .float(_, let isNegative, _, _): isNegative
    }
  }

  /// The decision at another height on the same side, or nil where it is not allowed.
  package func at(_ height: UInt64) -> Choice? {
    switch source {
    case .integer(let choice):
      let moved = IntegerChoice(
        magnitude: height, isNegative: choice.isNegative, below: choice.below,
        above: choice.above)
      return moved.isWithinLimits ? .integer(moved) : nil
    case .float(let choice, let isNegative, let exponent, let base):
      let (steps, overflow) = base.addingReportingOverflow(height)
      guard !overflow else { return nil }
      let size = ShortDecimal.number(digits: steps, exponent: exponent)
      let number = isNegative ? -size : size
      return number.isFinite && choice.allows(number) ? .float(choice.with(number)) : nil
    }
  }

  /// The decision moved by some units, or nil where it is not allowed.
  package func moved(by amount: UInt64, downwards: Bool) -> Choice? {
    let change = downwards ? -Int128(amount) : Int128(amount)
    switch source {
    case .integer(let choice):
      return choice.at(choice.distance + change).map { .integer($0) }
    case .float(let choice, _, _, _):
      let number = choice.value + Double(change)
      guard hasUnitSteps, number.magnitude < FloatChoice.leastHuge, choice.allows(number) else {
        return nil
      }
      return .float(choice.with(number))
    }
  }

  /// How far a whole number may be moved; nil for doubles.
  package func room(downwards: Bool) -> UInt64? {
    guard case .integer(let choice) = source else { return nil }
    let bound = downwards ? -Int128(choice.below) : Int128(choice.above)
    return UInt64(clamping: (bound - choice.distance).magnitude)
  }
}

/// A positive finite double as a person writes it: the fewest digits that name it.
package struct ShortDecimal: Hashable, Sendable {
  /// The digits as one whole number that does not end on 0, or 0 itself.
  package let digits: UInt64
  /// The power of ten the digits are multiplied with.
  package let exponent: Int

  /// The shortest decimal that reads as a number.
  ///
  /// The standard library prints exactly that (SwiftDtoa), so its text is read back.
  ///
  /// - Parameter number: finite; its sign is left out.
  package init(_ number: Double) {
    var (digits, exponent, zeros) = (UInt64(0), 0, 0)
    var isAfterPoint = false
    let text = number.magnitude.description.utf8
    var rest = text[...]
    while let byte = rest.first, byte != UInt8(ascii: "e") {
      rest.removeFirst()
      if byte == UInt8(ascii: ".") {
        isAfterPoint = true
        continue
      }
      if isAfterPoint { exponent -= 1 }
      // Zeros wait until a digit follows them, so that 2e15 written out fits 64 bits too.
      if byte == UInt8(ascii: "0") {
        zeros += 1
        continue
      }
      for _ in 0..<(digits == 0 ? 0 : zeros) { digits *= 10 }
      zeros = 0
      digits = digits * 10 + UInt64(byte - UInt8(ascii: "0"))
    }
    let written = Int(Substring(rest.dropFirst())) ?? 0
    self.digits = digits
    self.exponent = digits == 0 ? 0 : exponent + zeros + written
  }

  /// How many digits there are; 1 for 0.
  package var count: Int { max(String(digits).utf8.count, 1) }

  /// The double nearest to some digits times a power of ten.
  ///
  /// - Parameters:
  ///   - digits: any whole number.
  ///   - exponent: of ten.
  /// - Returns: The nearest double; infinity above the greatest.
  package static func number(digits: UInt64, exponent: Int) -> Double {
    // The standard library reads a decimal to the nearest double.
    Double("\(digits)e\(exponent)") ?? .infinity
  }

  /// The least whole number of steps of a power of ten that reaches at least this far.
  ///
  /// - Parameter step: the power of ten.
  /// - Returns: The number of steps; nil where 64 bits do not hold it.
  package func steps(of step: Int) -> UInt64? {
    var steps = digits
    if exponent < step {
      var isExact = true
      for _ in exponent..<step where steps > 0 {
        let (quotient, remainder) = steps.quotientAndRemainder(dividingBy: 10)
        if remainder > 0 { isExact = false }
        steps = quotient
        if steps == 0 { break }
      }
      return isExact ? steps : steps + 1
    }
    for _ in step..<exponent {
      let (product, overflow) = steps.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      steps = product
    }
    return steps
  }
}
