import Measurement
import Testing

@Suite struct RoundBudgetTests {
  /// Runs a budget to its end with rounds of the given costs, the last one for all that follow.
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
      // It stopped for want of time: one more round like the recent ones would be too late.
      let memory = costs[max(0, indices.count - RoundBudget.memory)..<indices.count]
      #expect(spent + (memory.max() ?? 0) > nanoseconds || spent >= nanoseconds)
    }
  }

  @Test func `rounds of equal cost fill the budget exactly`() {
    #expect(Self.run(nanoseconds: 1000, rounds: 0...999, costs: [100]).rounds.count == 10)
    #expect(Self.run(nanoseconds: 1099, rounds: 0...999, costs: [100]).rounds.count == 10)
    #expect(Self.run(nanoseconds: 999, rounds: 0...999, costs: [100]).rounds.count == 9)
  }

  @Test func `the minimum is run even without time, the maximum is not passed with plenty`() {
    #expect(Self.run(nanoseconds: 0, rounds: 5...9, costs: [100]).rounds.count == 5)
    #expect(Self.run(nanoseconds: 0, rounds: 0...9, costs: [100]).rounds.isEmpty)
    #expect(Self.run(nanoseconds: .max, rounds: 0...9, costs: [100]).rounds.count == 9)
    #expect(Self.run(nanoseconds: 1, rounds: 0...9, costs: [0]).rounds.count == 9)
    #expect(Self.run(nanoseconds: 1000, rounds: 0...0, costs: [1]).rounds.isEmpty)
  }

  @Test func `a cold first round is forgotten`() {
    // 500 is a lot of what is left after eight more rounds of 50, but is out of mind by then.
    let costs: [UInt64] = [500, 50]
    #expect(Self.run(nanoseconds: 2000, rounds: 0...999, costs: costs).spent == 2000)
    // Before that it counts: after the first round 499 are left, and another might not fit.
    #expect(Self.run(nanoseconds: 999, rounds: 0...999, costs: costs).rounds.count == 1)
  }

  @Test func `the forecast remembers eight rounds`() {
    // 850 are spent when the cold round is the eighth last, and 500 are expected of the next.
    let costs: [UInt64] = [500, 50]
    #expect(RoundBudget.memory == 8)
    #expect(Self.run(nanoseconds: 1349, rounds: 0...999, costs: costs).rounds.count == 8)
    #expect(Self.run(nanoseconds: 1350, rounds: 0...999, costs: costs).spent == 1350)
  }

  @Test func `a case that is over stays over`() {
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

  @Test func `a budget without end on a late clock does not overflow`() {
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

  @Test func `a negative number of rounds is refused`() async {
    await #expect(processExitsWith: .failure) {
      _ = RoundBudget(nanoseconds: 0, rounds: -1...3)
    }
  }
}
