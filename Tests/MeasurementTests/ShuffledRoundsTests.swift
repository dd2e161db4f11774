import Measurement
import Testing

@Suite struct ShuffledRoundsTests {
  static let seeds: [UInt64] = [0, 1, 42, .max]

  @Test(arguments: 1...9, seeds)
  func `each round has each arm once`(arms: Int, seed: UInt64) {
    let rounds = ShuffledRounds(arms: arms, seed: seed)
    for round in Array(0..<100) + [1_000_000_007, Int.max] {
      #expect(rounds.order(round: round).sorted() == Array(0..<arms))
    }
  }

  @Test(arguments: 1...9, seeds)
  func `over each block of n rounds each arm takes each place once`(arms: Int, seed: UInt64) {
    let rounds = ShuffledRounds(arms: arms, seed: seed)
    for block in [0, 1, 2, 3, 77] {
      let orders = (0..<arms).map { rounds.order(round: block * arms + $0) }
      for place in 0..<arms {
        #expect(Set(orders.map { $0[place] }).count == arms, "block \(block), place \(place)")
      }
    }
  }

  @Test(arguments: 2...9, seeds)
  func `each arm follows each other arm equally often`(arms: Int, seed: UInt64) {
    let rounds = ShuffledRounds(arms: arms, seed: seed)
    let (length, times) = arms.isMultiple(of: 2) ? (arms, 1) : (2 * arms, 2)
    for block in [0, 1, 2, 3, 77] {
      var followers: [[Int]: Int] = [:]
      for round in block * length..<(block + 1) * length {
        let order = rounds.order(round: round)
        for (arm, next) in zip(order, order.dropFirst()) {
          followers[[arm, next], default: 0] += 1
        }
      }
      #expect(followers.count == arms * (arms - 1), "block \(block)")
      #expect(followers.values.allSatisfy { $0 == times }, "block \(block)")
    }
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5])
  func `over seeds each round is each order equally often`(round: Int) {
    var counts: [[Int]: Int] = [:]
    for seed: UInt64 in 0..<6000 {
      counts[ShuffledRounds(arms: 3, seed: seed).order(round: round), default: 0] += 1
    }
    #expect(counts.count == 6)
    // Mean 1000, deviation √(6000 · 1/6 · 5/6) = 28.9; six deviations.
    for (order, count) in counts { #expect(abs(count - 1000) <= 173, "\(order)") }
  }

  @Test func `two arms do not simply alternate`() {
    let rounds = ShuffledRounds(arms: 2, seed: 3)
    let firsts = (0..<200).map { rounds.order(round: 2 * $0)[0] }
    // The first arm of each block is random: mean 100, deviation √50 = 7.1; six deviations.
    #expect(abs(firsts.reduce(0, +) - 100) <= 42)
  }
}
