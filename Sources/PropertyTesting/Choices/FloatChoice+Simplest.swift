extension FloatChoice {
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
