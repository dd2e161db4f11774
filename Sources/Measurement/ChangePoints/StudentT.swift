/// Student's t distribution.
package struct StudentT: Sendable, Hashable {
  /// The degrees of freedom, above zero and finite.
  package let degreesOfFreedom: Double

  /// Creates the distribution of so many degrees of freedom; they need not be whole.
  package init(degreesOfFreedom: Double) {
    precondition(
      degreesOfFreedom > 0 && degreesOfFreedom.isFinite,
      "There is no t distribution of \(degreesOfFreedom) degrees of freedom.")
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// Returns the chance of a value above t.
  ///
  /// P(T > t) = ½ I_x(ν/2, ½) with x = ν / (ν + t²) for t ≥ 0 (DLMF 8.17; Abramowitz and Stegun
  /// 26.7.1). Its relative error is below 1e-10 for up to 10,000 degrees of freedom, in the far
  /// tail too: it is not a difference from one.
  package func upperTail(_ t: Double) -> Double {
    if t < 0 { return 1 - upperTail(-t) }
    if t.isInfinite { return 0 }
    let square = t * t
    let sum = degreesOfFreedom + square
    if sum.isInfinite { return 0 }
    return 0.5
      * IncompleteBeta.regularised(
        degreesOfFreedom / sum, complement: square / sum, a: degreesOfFreedom / 2, b: 0.5)
  }

  /// Returns the value that is exceeded with a chance.
  ///
  /// Bisection of `upperTail(_:)` down to neighbouring numbers, so it is as good as that.
  ///
  /// - Parameter tail: The chance, between zero and one, both excluded: 0.005 gives t_.995.
  /// - Returns: The value, infinite if it is beyond all numbers.
  package func quantile(upperTail tail: Double) -> Double {
    precondition(tail > 0 && tail < 1, "A chance of \(tail) is not between 0 and 1.")
    if tail > 0.5 { return -quantile(upperTail: 1 - tail) }
    var (low, high) = (0.0, 1.0)
    while upperTail(high) > tail, high.isFinite { (low, high) = (high, high * 2) }
    while true {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high else { return high }
      if upperTail(middle) > tail { low = middle } else { high = middle }
    }
  }
}
