internal import RealModule

/// The regularised incomplete beta function I_x(a, b).
///
/// The continued fraction DLMF 8.17.22, evaluated by Lentz's method as modified by Thompson and
/// Barnett (1986), on the side of x where it converges fast.
enum IncompleteBeta {
  /// Returns I_x(a, b) for a chance given from both ends, so that neither loses digits near one.
  ///
  /// The relative error is below 1e-11 where a and b are at most 10,000 and the result is normal:
  /// most of it is the rounding of the logarithms of three gamma functions.
  ///
  /// - Parameters:
  ///   - x: From zero to one.
  ///   - complement: 1 - x, computed without cancellation.
  ///   - a: Above zero.
  ///   - b: Above zero.
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
    // Lentz: a denominator of zero is replaced by a number too small to matter.
    func nonzero(_ value: Double) -> Double { value.magnitude < 1e-300 ? 1e-300 : value }
    var c = 1.0
    var d = 1 / nonzero(1 - (a + b) * x / (a + 1))
    var result = d
    // Far beyond what parameters up to 10,000 need (a few hundred), so that it ends for any.
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
