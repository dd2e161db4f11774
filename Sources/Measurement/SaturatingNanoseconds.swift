extension UInt64 {
  /// The sum, or the greatest number if the sum is greater: a deadline that never comes.
  package func addingSaturating(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  /// The difference, or zero if it would be negative: a deadline that has passed.
  package func subtractingToZero(_ other: UInt64) -> UInt64 {
    self > other ? self - other : 0
  }
}
