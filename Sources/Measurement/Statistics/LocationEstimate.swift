import RealModule

/// Where the middle of a distribution lies, judged by a trimmed mean.
///
/// One value in eight is left out at either end, so that a launch that went astray moves neither the
/// estimate nor its error by much; of fewer than eight values none is left out, and the estimate is
/// the mean with Student's interval. The error is that of Tukey and McLaughlin ("Less vulnerable
/// confidence and significance procedures for location based on a single sample", Sankhyā A 25,
/// 1963): the deviation of the values with those left out moved to the nearest that is kept.
///
/// It takes the middle of the values to be nearly normal. How often intervals miss for values as
/// they were recorded is simulated: see Benchmarks/Results.
package struct LocationEstimate: Sendable, Hashable {
  /// The mean of the values that are kept.
  package let center: Double

  /// About how much the estimate strays, as a standard deviation; nil for a single value.
  package let standardError: Double?

  /// One less than the number of values that are kept.
  package let degreesOfFreedom: Int

  /// Estimates the middle of independent values.
  ///
  /// - Parameters:
  ///   - values: The values.
  ///   - cut: How many are left out at either end, fewer than half; nil for one in eight.
  package init(_ values: SortedSamples, leavingOut cut: Int? = nil) {
    let count = values.count
    let cut = cut ?? Self.leftOut(of: count)
    let kept = count - 2 * cut
    center = values.values[cut..<count - cut].reduce(0, +) / Double(kept)
    degreesOfFreedom = kept - 1
    guard kept > 1 else {
      standardError = nil
      return
    }
    let (least, greatest) = (values.values[cut], values.values[count - 1 - cut])
    let moved = values.values.map { min(max($0, least), greatest) }
    let mean = moved.reduce(0, +) / Double(count)
    let squares = moved.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = (squares / Double(count - 1)).squareRoot()
    standardError = deviation * Double(count).squareRoot() / Double(kept)
  }

  /// How many of so many values are kept.
  package static func kept(of count: Int) -> Int { count - 2 * leftOut(of: count) }

  /// How many of so many values are left out at either end.
  package static func leftOut(of count: Int) -> Int { count / 8 }

  /// The interval that misses the middle by a chance on each side.
  ///
  /// - Parameter tail: The chance, above zero and below one half.
  /// - Returns: Nil for a single value.
  package func interval(tail: Double) -> PairedRatio.Interval? {
    guard let reach = reach(tail: tail) else { return nil }
    return PairedRatio.Interval(
      lower: center - reach, upper: center + reach, coverage: 1 - 2 * tail)
  }

  /// How far the interval's ends are from the estimate.
  package func reach(tail: Double) -> Double? {
    standardError.map {
      $0 * StudentT(degreesOfFreedom: Double(degreesOfFreedom)).quantile(upperTail: tail)
    }
  }

  /// The chance of an estimate so far from zero if the true middle were a bound away on that side.
  ///
  /// - Parameter bound: A distance from zero.
  /// - Returns: One for a single value, which says nothing of its error.
  package func chance(beyond bound: Double) -> Double {
    guard let standardError else { return 1 }
    let distance = center.magnitude - bound
    // Values that are all equal leave no doubt.
    if standardError == 0 { return distance > 0 ? 0 : 1 }
    return StudentT(degreesOfFreedom: Double(degreesOfFreedom)).upperTail(distance / standardError)
  }
}

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
