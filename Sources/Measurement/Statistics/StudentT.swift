internal import RealModule

package struct StudentT: Sendable, Hashable {
  /// The degrees of freedom, above zero and finite.
  package let degreesOfFreedom: Double

  /// Creates the distribution with a number of degrees of freedom, which need not be whole.
  package init(degreesOfFreedom: Double) {
    precondition(
      degreesOfFreedom > 0 && degreesOfFreedom.isFinite,
      "There is no t distribution of \(degreesOfFreedom) degrees of freedom.")
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// Returns the chance of a value above t.
  ///
  /// P(T > t) = ½ I_x(ν/2, ½) with x = ν / (ν + t²) for t ≥ 0 (DLMF 8.17; Abramowitz and Stegun
  /// 26.7.1). Its relative error is below 1e-10 for up to 10,000 degrees of freedom, even in the far
  /// tail, because it is not a difference from one.
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

  /// Returns the value that is exceeded with a given chance.
  ///
  /// It bisects `upperTail(_:)` down to neighbouring numbers, so it has the same precision.
  ///
  /// - Parameter tail: The chance, between zero and one, both excluded: 0.005 gives t_.995.
  /// - Returns: The value, infinite if it exceeds all numbers.
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

/// The regularised incomplete beta function I_x(a, b).
///
/// It evaluates the continued fraction DLMF 8.17.22 by Lentz's method as modified by Thompson and
/// Barnett (1986), on the side of x where it converges fast.
private enum IncompleteBeta {
  /// Returns I_x(a, b) for x and its complement, so that no digits are lost near one.
  ///
  /// The relative error is below 1e-11 if a and b are at most 10,000 and the result is normal:
  /// most of it is the rounding of the logarithms of three gamma functions.
  ///
  /// - Returns: A chance.
  static func regularised(_ x: Double, complement: Double, a: Double, b: Double) -> Double {
    if x <= 0 { return 0 }
    if complement <= 0 { return 1 }
    let logFront =
      Double.logGamma(a + b) - Double.logGamma(a) - Double.logGamma(b)
      + a * Double.log(x) + b * Double.log(complement)
    let front = Double.exp(logFront)
    // The fraction needs about sqrt(max(a, b)) terms on this side of the mean of the distribution.
    return x < (a + 1) / (a + b + 2)
      ? front / a * fraction(x, a: a, b: b)
      : 1 - front / b * fraction(complement, a: b, b: a)
  }

  private static func fraction(_ x: Double, a: Double, b: Double) -> Double {
    // Lentz: a denominator of zero is replaced by a negligible number.
    func nonzero(_ value: Double) -> Double { value.magnitude < 1e-300 ? 1e-300 : value }
    var c = 1.0
    var d = 1 / nonzero(1 - (a + b) * x / (a + 1))
    var result = d
    // A limit far above the few hundred steps needed for parameters up to 10,000.
    for m in 1...10_000 {
      let m = Double(m)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / nonzero(1 + even * d)
      c = nonzero(1 + even / c)
      result *= d * c
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / nonzero(1 + odd * d)
      c = nonzero(1 + odd / c)
      result *= d * c
      if (d * c - 1).magnitude < 1e-15 { break }
    }
    return result
  }
}
