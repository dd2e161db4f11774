/// The chance of so many heads among fair coins: the distribution behind the sign test.
package enum BinomialTail {
  /// Returns the chance that a binomial variable with success chance one half is at least a count.
  ///
  /// The coefficients C(n, j) of the shorter tail are summed as they are, and the power of two is
  /// applied last, so nothing underflows on the way: a tail whose own value is a `Double` is found
  /// whatever the number of trials. It is exact while the sum is below 2^53, and otherwise carries
  /// a relative error of at most some n roundings of 2^-53: 10^-10 for 100,000 trials.
  ///
  /// - Parameters:
  ///   - count: The count to reach; any integer.
  ///   - trials: How many coins are thrown; none for numbers below zero.
  /// - Returns: P(Bin(trials, ½) ≥ count), from zero to one.
  /// - Complexity: O(trials).
  package static func atLeast(_ count: Int, of trials: Int) -> Double {
    let trials = max(trials, 0)
    if count <= 0 { return 1 }
    if count > trials { return 0 }
    // P(X ≥ k) = P(X ≤ n - k), and of the two tails the lower half is the shorter sum.
    let missing = trials - count
    return missing < count
      ? atMost(missing, of: trials) : 1 - atMost(count - 1, of: trials)
  }

  /// Sums C(n, 0) to C(n, k) for k below n, scaled by 2^-500 whenever they grow beyond 2^500.
  private static func atMost(_ count: Int, of trials: Int) -> Double {
    var coefficient = 1.0
    var sum = 1.0
    var exponent = -trials
    for chosen in 0..<count {
      // Multiplied first, small coefficients stay exact integers.
      coefficient = coefficient * Double(trials - chosen) / Double(chosen + 1)
      sum += coefficient
      if coefficient > 0x1p500 {
        coefficient *= 0x1p-500
        sum *= 0x1p-500
        exponent += 500
      }
    }
    return Double(sign: .plus, exponent: exponent, significand: sum)
  }
}
