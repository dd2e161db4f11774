import Measurement
import Testing

@Suite struct TimeBudgetTests {
  /// Runs cases with rounds of one cost each and returns how many rounds each of them had.
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

  @Test func `cases of equal cost get equal shares`() {
    #expect(
      Self.run(nanoseconds: 4000, costs: [10, 10, 10, 10], rounds: 1...999) == [
        100, 100, 100, 100,
      ])
  }

  @Test func `what a case leaves over is shared by the later ones`() {
    // The first stops at its maximum of 30 rounds and 300 of 1000; 3700 are left for three.
    #expect(
      Self.run(nanoseconds: 4000, costs: [10, 100, 100, 100], rounds: 1...30) == [
        30, 12, 12, 13,
      ])
  }

  @Test func `what a case uses too much is paid by the later ones`() {
    // Two rounds of 1500 for the minimum leave 1000 for two.
    #expect(Self.run(nanoseconds: 4000, costs: [1500, 10, 10], rounds: 2...999) == [2, 50, 50])
  }

  @Test func `without time each case still has its minimum`() {
    #expect(Self.run(nanoseconds: 0, costs: [10, 10, 10], rounds: 2...9) == [2, 2, 2])
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `cases whose rounds keep their cost and fit never overrun the whole`(seed: UInt64) {
    var random = SeededRandom(seed: seed, label: "cases")
    let costs = (0..<(1 + random.index(below: 20))).map { _ in UInt64(1 + random.index(below: 90)) }
    // A share is at least 100 here, as no case before it overran, and so holds a round of any case.
    let total = UInt64(costs.count) * 100 + UInt64(random.index(below: 5000))
    let rounds = Self.run(nanoseconds: total, costs: costs, rounds: 1...9999)
    let spent = zip(costs, rounds).reduce(0) { $0 + $1.0 * UInt64($1.1) }
    #expect(spent <= total)
    // What is left at the end is less than a round of the last case.
    #expect(total - spent < costs[costs.count - 1])
  }

  @Test func `the time left and the cases left are told`() {
    let clock = ManualClock()
    var run = TimeBudget(nanoseconds: 100, cases: 2, now: clock.now)
    clock.advance(by: 30)
    #expect(run.remainingNanoseconds == 70)
    #expect(run.remainingCases == 2)
    _ = run.nextCase(rounds: 0...1)
    #expect(run.remainingCases == 1)
    clock.advance(by: 100)
    #expect(run.remainingNanoseconds == 0)
  }

  @Test func `a case more than announced is given what is left`() {
    let clock = ManualClock()
    var run = TimeBudget(nanoseconds: 100, cases: 0, now: clock.now)
    var budget = run.nextCase(rounds: 0...999)
    while budget.nextRound() != nil { clock.advance(by: 10) }
    #expect(budget.started == 10)
    #expect(run.remainingCases == 0)
  }

  @Test func `a negative number of cases is refused`() async {
    await #expect(processExitsWith: .failure) { _ = TimeBudget(nanoseconds: 0, cases: -1) }
  }
}
