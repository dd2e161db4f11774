/// The middle of a distribution, estimated by a trimmed mean.
///
/// One value in eight is trimmed at either end, so that an outlying launch hardly affects the estimate and
/// its error; fewer than eight values are not trimmed, and the estimate is the mean with Student's
/// interval. The error is that of Tukey and McLaughlin ("Less vulnerable confidence and significance
/// procedures for location based on a single sample", Sankhyā A 25, 1963): the deviation of the values
/// after moving trimmed ones to the nearest kept.
///
/// The middle of the values must be nearly normal. Benchmarks/Results has simulations of how often
/// intervals miss for recorded values.
package struct LocationEstimate: Sendable, Hashable {
  package let center: Double

  /// The standard error of the estimate; nil for a single value.
  package let standardError: Double?

  /// The number of kept values minus one.
  package let degreesOfFreedom: Int

  /// Estimates the middle of independent values.
  package init(_ values: SortedSamples) {
    let count = values.count
    let kept = Self.kept(of: count)
    let cut = (count - kept) / 2
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

  /// Returns the number of values that are not trimmed.
  package static func kept(of count: Int) -> Int { count - 2 * (count / 8) }

  /// Returns the interval that misses the middle with a given chance on each side; nil for a single value.
  package func interval(tail: Double) -> PairedRatio.Interval? {
    guard let reach = reach(tail: tail) else { return nil }
    return PairedRatio.Interval(
      lower: center - reach, upper: center + reach, coverage: 1 - 2 * tail)
  }

  /// Returns the distance of the interval's ends from the estimate.
  package func reach(tail: Double) -> Double? {
    standardError.map {
      $0 * StudentT(degreesOfFreedom: Double(degreesOfFreedom)).quantile(upperTail: tail)
    }
  }

  /// Returns the chance of an estimate this far from zero if the true middle is at a bound on the same side.
  ///
  /// It is one for a single value, whose error is unknown.
  package func chance(beyond bound: Double) -> Double {
    guard let standardError else { return 1 }
    let distance = center.magnitude - bound
    // Equal values have a standard error of zero.
    if standardError == 0 { return distance > 0 ? 0 : 1 }
    return StudentT(degreesOfFreedom: Double(degreesOfFreedom)).upperTail(distance / standardError)
  }
}
