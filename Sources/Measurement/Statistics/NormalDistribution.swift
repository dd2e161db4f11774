import RealModule

/// The standard normal distribution.
package enum NormalDistribution {
  /// Returns the chance of a standard normal number above a bound: erfc(z / √2) / 2.
  package static func upperTail(_ bound: Double) -> Double {
    Double.erfc(bound * (0.5).squareRoot()) / 2
  }

  /// Returns the bound that a standard normal number exceeds with a given chance.
  ///
  /// Found by halving the range, to the last bit that `upperTail` tells apart: that needs no table
  /// of coefficients, and it is asked for once an estimate.
  ///
  /// - Parameter tail: A chance: 0.01 gives 2.326, 0.5 gives 0, 0.99 gives -2.326.
  /// - Returns: Infinity for a chance of zero or less, its negative for one or more.
  package static func bound(upperTail tail: Double) -> Double {
    if tail.isNaN { return .nan }
    if tail <= 0 { return .infinity }
    if tail >= 1 { return -.infinity }
    // Near one the tail has few bits; its mirror image has them all.
    if tail > 0.5 { return -bound(upperTail: 1 - tail) }
    // Beyond 39 even the least positive Double is greater than the tail.
    var low = 0.0
    var high = 39.0
    while true {
      let middle = (low + high) / 2
      guard low < middle, middle < high else { return low }
      if upperTail(middle) >= tail { low = middle } else { high = middle }
    }
  }
}
