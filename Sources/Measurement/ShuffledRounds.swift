/// The order of several arms, shuffled in each round and balanced over rounds.
///
/// Machines warm up, throttle and fill caches: an arm that always runs first, or always after the
/// same neighbour, is measured under different conditions. With n arms:
///
/// - each round has each arm exactly once;
/// - over each block of n rounds (rounds 0 to n-1, n to 2n-1, …) each arm takes each place once;
/// - over each block of n rounds, or of 2n if n is odd, each arm follows each other arm within a
///   round equally often: once, or twice if n is odd;
/// - each single round is any of the n! orders with equal chance over seeds.
///
/// A block is a Latin square of E. J. Williams ("Experimental designs balanced for the estimation
/// of residual effects of treatments", Australian Journal of Scientific Research A 2, 1949) with
/// shuffled arms and rows.
public struct ShuffledRounds: Sendable, Hashable {
  /// The number of arms.
  public let arms: Int

  private let seed: UInt64

  /// Creates the plan of a seed.
  ///
  /// - Parameters:
  ///   - arms: The number of arms, at least one.
  ///   - seed: Chooses among the balanced plans.
  public init(arms: Int, seed: UInt64) {
    precondition(arms > 0, "A round needs at least one arm, not \(arms).")
    self.arms = arms
    self.seed = SeededRandom.derivedSeed(from: seed, label: "shuffled rounds")
  }

  /// Returns the order of the arms in one round.
  ///
  /// - Parameter round: The index of the round, not negative; rounds may be requested in any order.
  /// - Returns: Each arm's index once, in the order of running.
  /// - Complexity: O(n) time for n arms, for any round.
  public func order(round: Int) -> [Int] {
    precondition(round >= 0, "Rounds start at 0, not \(round).")
    let (block, row) = round.quotientAndRemainder(dividingBy: arms)
    // If n is odd, the second square of a pair is the first in reverse, which balances the neighbours that
    // one square of odd size cannot balance.
    let (pair, half) =
      arms.isMultiple(of: 2) ? (block, 0) : block.quotientAndRemainder(dividingBy: 2)
    var names = SeededRandom(seed: seed, stream: UInt64(pair) &* 2)
    let arm = names.permutation(of: arms)
    var rows = SeededRandom(seed: seed, stream: UInt64(block) &* 2 &+ 1)
    let shift = rows.permutation(of: arms)[row]
    let order = (0..<arms).map { place in arm[(zigzag(place) + shift) % arms] }
    return half == 0 ? order : order.reversed()
  }

  /// Returns Williams' first row 0, 1, n-1, 2, n-2, …; if n is even, all its steps differ modulo n.
  private func zigzag(_ place: Int) -> Int {
    place.isMultiple(of: 2) ? (arms - place / 2) % arms : (place + 1) / 2
  }
}
