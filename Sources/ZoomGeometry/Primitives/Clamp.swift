extension Double {
  /// Returns the number of the closed range that is nearest to this one.
  ///
  ///     (-3.0).clamped(to: 0...10)         // 0
  ///     Double.infinity.clamped(to: 0...10)  // 10
  ///
  /// NaN has no nearest number and is a programming error: it traps. The generic `min` and `max`
  /// of the standard library, nested into a clamp, let NaN through or swallow it depending on the
  /// order of their arguments; that is how a NaN gets out of the published formula (FZ-B7). A range
  /// whose bounds are swapped or NaN cannot be formed: `...` traps on it.
  ///
  /// - Precondition: This number is not NaN.
  package func clamped(to range: ClosedRange<Double>) -> Double {
    precondition(!isNaN, "NaN cannot be clamped")
    if self < range.lowerBound { return range.lowerBound }
    if self > range.upperBound { return range.upperBound }
    return self
  }

  /// Returns the nearest number from `low` to `high` as most of the published formulas find it.
  ///
  /// NaN goes in and comes out, and an empty range is no error.
  func clampedAsPublished(_ low: Double, _ high: Double) -> Double {
    if self < low { return low }
    return self > high ? high : self
  }
}
