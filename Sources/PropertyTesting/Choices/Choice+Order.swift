extension Choice {
  /// Whether the decision is strictly simpler than another.
  ///
  /// Whole numbers by their distance, the positive first; doubles by `FloatChoice.complexity`;
  /// a whole number before a double. Limits do not count, so two decisions of different limits
  /// may both be no simpler than the other. Each decision has finitely many simpler ones, which
  /// is why shrinking ends.
  package func isSimpler(than other: Choice) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)):
      left.magnitude < right.magnitude
        || (left.magnitude == right.magnitude && !left.isNegative && right.isNegative)
    case (.float(let left), .float(let right)):
      left.value.bitPattern != right.value.bitPattern && left.complexity < right.complexity
    case (.integer, .float): true
    case (.float, .integer): false
    }
  }
}

extension RandomAccessCollection<Choice> {
  /// Whether a list of decisions is strictly simpler than another.
  ///
  /// The shorter is; of two alike the one whose first different decision is.
  package func isSimpler(than other: some RandomAccessCollection<Choice>) -> Bool {
    guard count == other.count else { return count < other.count }
    for (left, right) in Swift.zip(self, other) {
      if left.isSimpler(than: right) { return true }
      if right.isSimpler(than: left) { return false }
    }
    return false
  }
}
