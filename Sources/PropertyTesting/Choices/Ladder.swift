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
