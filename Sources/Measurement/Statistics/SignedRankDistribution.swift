/// The exact distribution of Wilcoxon's signed-rank statistic if nothing differs.
///
/// Of n values that are as often above zero as below, the ranks of the magnitudes of those above
/// are added up. Each of the 2^n sets of ranks is equally likely (Wilcoxon, "Individual comparisons
/// by ranking methods", Biometrics 1, 1945), so the statistic is a sum of independent numbers: rank
/// k or nothing, with chance one half each.
package struct SignedRankDistribution: Sendable, Hashable {
  /// How many values are ranked.
  package let count: Int

  /// The chance that the statistic is at most w, at index w, up to the middle of its range.
  private let lowerHalf: [Double]

  /// Finds the distribution for a number of values.
  ///
  /// Exact for up to 53 values, whose chances are multiples of 2^-53.
  ///
  /// - Parameter count: How many values are ranked; none for numbers below zero.
  /// - Complexity: O(n³) time, O(n²) memory for n values.
  package init(count: Int) {
    let count = max(count, 0)
    self.count = count
    // The distribution is symmetric about a quarter of n(n + 1): half of it says everything.
    let middle = count * (count + 1) / 4
    var chances = [Double](repeating: 0, count: middle + 1)
    chances[0] = 1
    for rank in stride(from: 1, through: count, by: 1) {
      for sum in stride(from: middle, through: 0, by: -1) {
        chances[sum] = (chances[sum] + (sum >= rank ? chances[sum - rank] : 0)) / 2
      }
    }
    var cumulative = 0.0
    lowerHalf = chances.map { chance in
      cumulative += chance
      return cumulative
    }
  }

  /// The greatest value that the statistic can have: all ranks together.
  package var greatest: Int { count * (count + 1) / 2 }

  /// Returns the chance that the statistic is at most a number.
  package func atMost(_ sum: Int) -> Double {
    if sum < 0 { return 0 }
    if sum >= greatest { return 1 }
    if sum < lowerHalf.count { return lowerHalf[sum] }
    // By symmetry P(W ≤ w) = 1 - P(W ≤ greatest - w - 1), which lies in the lower half.
    return 1 - lowerHalf[greatest - sum - 1]
  }

  /// Returns the chance that the statistic is at least a number.
  package func atLeast(_ sum: Int) -> Double {
    atMost(greatest - sum)
  }

  /// Finds the greatest rank r with P(W ≤ r - 1) ≤ tail, for a tail below one half; nil for none.
  ///
  /// The r-th least and the r-th greatest of the averages of all pairs of values enclose their
  /// centre, with this chance of a miss on each side (Hollander and Wolfe, "Nonparametric
  /// Statistical Methods", 3.3).
  package func intervalRank(tail: Double) -> Int? {
    let rank = lowerHalf.prefix { $0 <= tail }.count
    return rank > 0 ? min(rank, (greatest + 1) / 2) : nil
  }
}
