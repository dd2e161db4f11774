import Measurement
import Testing

@Suite struct TimeBudgetTests {
  /// Runs cases with a constant cost per round each, and returns their numbers of rounds.
  private static func run(
    nanoseconds: UInt64, costs: [UInt64], rounds: ClosedRange<Int>
  ) -> [Int] {
    let clock = ManualClock(at: 77)
    var run = TimeBudget(nanoseconds: nanoseconds, cases: costs.count, now: clock.now)
    return costs.map { cost in
      var budget = run.nextCase(rounds: rounds)
      while budget.nextRound() != nil { clock.advance(by: cost) }
      return budget.started
    }
  }

  @Test(
    arguments: [
      // The first stops at its maximum of 30 rounds after 300 of its 1000; 3700 are left for three.
      (4000, [10, 100, 100, 100], 1...30, [30, 12, 12, 13]),
      // Two rounds of 1500 to reach the minimum leave 1000 for two cases.
      (4000, [1500, 10, 10], 2...999, [2, 50, 50]),
      // Without time, each case still has its minimum.
      (0, [10, 10, 10], 2...9, [2, 2, 2]),
    ] as [(UInt64, [UInt64], ClosedRange<Int>, [Int])])
  func `later cases share the time that a case saves or overuses`(
    nanoseconds: UInt64, costs: [UInt64], rounds: ClosedRange<Int>, expected: [Int]
  ) {
    #expect(Self.run(nanoseconds: nanoseconds, costs: costs, rounds: rounds) == expected)
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `cases of constant cost whose rounds fit never exceed the total`(seed: UInt64) {
    var random = SeededRandom(seed: seed, label: "cases")
    let costs = (0..<(1 + random.index(below: 20))).map { _ in UInt64(1 + random.index(below: 90)) }
    // A share is at least 100 here, as no earlier case exceeded its share, so a round of any case fits.
    let total = UInt64(costs.count) * 100 + UInt64(random.index(below: 5000))
    let rounds = Self.run(nanoseconds: total, costs: costs, rounds: 1...9999)
    let spent = zip(costs, rounds).reduce(0) { $0 + $1.0 * UInt64($1.1) }
    #expect(spent <= total)
    // The rest at the end is less than a round of the last case.
    #expect(total - spent < costs[costs.count - 1])
  }

  @Test func `a case beyond the announced number gets the remaining time`() {
    let clock = ManualClock()
    var run = TimeBudget(nanoseconds: 100, cases: 0, now: clock.now)
    var budget = run.nextCase(rounds: 0...999)
    while budget.nextRound() != nil { clock.advance(by: 10) }
    #expect(budget.started == 10)
  }
}

@Suite struct RoundBudgetTests {
  /// Runs a budget to its end with rounds of the given costs; the last cost repeats.
  private static func run(
    nanoseconds: UInt64, rounds: ClosedRange<Int>, costs: [UInt64]
  ) -> (rounds: [Int], spent: UInt64) {
    let start: UInt64 = 5000
    let clock = ManualClock(at: start)
    var budget = RoundBudget(nanoseconds: nanoseconds, rounds: rounds, now: clock.now)
    var indices: [Int] = []
    while let round = budget.nextRound() {
      indices.append(round)
      clock.advance(by: costs[min(round, costs.count - 1)])
    }
    return (indices, clock.now() - start)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `rounds are counted, bounded, and overrun only for the minimum or a costlier round`(
    seed: UInt64
  ) {
    var random = SeededRandom(seed: seed, label: "rounds")
    let nanoseconds = UInt64(random.index(below: 10_000))
    let fewest = random.index(below: 10)
    let rounds = fewest...(fewest + random.index(below: 50))
    let costs = (0..<60).map { _ in UInt64(random.index(below: 600)) }
    let (indices, spent) = Self.run(nanoseconds: nanoseconds, rounds: rounds, costs: costs)
    #expect(indices == Array(0..<indices.count))
    #expect(rounds.contains(indices.count))
    let last = indices.count - 1
    if indices.count > rounds.lowerBound, spent > nanoseconds, last > 0 {
      let memory = costs[max(0, last - RoundBudget.memory)..<last]
      #expect(costs[last] > memory.max() ?? 0)
    }
    if indices.count < rounds.upperBound {
      // It stopped for lack of time: another round like the recent ones would exceed it.
      let memory = costs[max(0, indices.count - RoundBudget.memory)..<indices.count]
      #expect(spent + (memory.max() ?? 0) > nanoseconds || spent >= nanoseconds)
    }
  }

  @Test func `a finished case stays finished`() {
    let clock = ManualClock()
    var budget = RoundBudget(nanoseconds: 100, rounds: 1...9, now: clock.now)
    #expect(budget.nextRound() == 0)
    clock.advance(by: 60)
    for _ in 0..<20 {
      #expect(budget.nextRound() == nil)
      clock.advance(by: 1)
    }
    #expect(budget.started == 1)
  }

  @Test func `an endless budget on a late clock does not overflow`() {
    let clock = ManualClock(at: .max - 10)
    var budget = RoundBudget(nanoseconds: .max, rounds: 0...3, now: clock.now)
    #expect(budget.nextRound() == 0)
    clock.set(to: .max)
    #expect(budget.nextRound() == nil)
  }

  @Test func `a clock that goes back costs nothing`() {
    let clock = ManualClock(at: 1000)
    var budget = RoundBudget(nanoseconds: 100, rounds: 0...9, now: clock.now)
    #expect(budget.nextRound() == 0)
    clock.set(to: 900)
    #expect(budget.nextRound() == 1)
  }
}
