/// Which sorted samples enclose the true median, whatever the distribution.
///
/// Each of n independent samples lies below the true median with chance one half. So the r-th
/// least of them lies above it only if fewer than r do, which has the chance P(Bin(n, ½) ≤ r-1); the
/// r-th greatest lies below it with the same chance. This is exact for any continuous
/// distribution, and errs to the safe side if samples can be equal (David and Nagaraja, "Order
/// Statistics", 3rd edition, 7.1).
public struct MedianInterval: Sendable, Hashable, Codable {
  /// The rank, from one, of the lower end in ascending order, and of the upper in descending order.
  public let rank: Int

  /// The chance that both ends enclose the true median; at least the confidence asked for.
  public let coverage: Double

  /// Finds the narrowest interval of at least the given confidence.
  ///
  /// - Parameters:
  ///   - count: How many samples there are.
  ///   - confidence: The chance of enclosing the median, between zero and one; half of the rest
  ///     is allowed on each side.
  /// - Returns: Nil if there are too few samples for this confidence: fewer than 7 for 0.98.
  /// - Throws: `SampleError.invalidConfidence`.
  /// - Complexity: O(n) for n samples.
  public static func narrowest(
    count: Int, confidence: Double
  ) throws(SampleError) -> MedianInterval? {
    guard confidence > 0, confidence < 1 else { throw .invalidConfidence(confidence) }
    return narrowest(count: count, tail: (1 - confidence) / 2)
  }

  /// Finds the greatest rank r with P(Bin(count, ½) ≤ r-1) ≤ tail, for a tail below one half.
  package static func narrowest(count: Int, tail: Double) -> MedianInterval? {
    var found: MedianInterval?
    // C(count, k) and the sum of it up to k, both to be multiplied by two to the exponent: the
    // smallest chance, 2^-count, is not a Double beyond 1074 samples.
    var coefficient = 1.0
    var sum = 0.0
    var exponent = -count
    for k in 0..<max(count, 0) {
      sum += coefficient
      let chance = Double(sign: .plus, exponent: exponent, significand: sum)
      guard chance <= tail else { break }
      found = MedianInterval(rank: k + 1, coverage: 1 - 2 * chance)
      // Multiplied first, small coefficients stay exact integers.
      coefficient = coefficient * Double(count - k) / Double(k + 1)
      if coefficient > 0x1p500 {
        coefficient *= 0x1p-500
        sum *= 0x1p-500
        exponent += 500
      }
    }
    return found
  }
}
