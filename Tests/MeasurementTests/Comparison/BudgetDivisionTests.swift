import Measurement
import Testing

@Suite struct BudgetDivisionTests {
  private static let settings = GateSettings()

  private static func undecided(
    _ name: String, spread: Double, pair: Double = 0.01, launch: Double = 0.1, done: Int = 4
  ) -> BudgetDivision.Case {
    BudgetDivision.Case(
      name: name, spread: spread, pairSeconds: pair, launchSeconds: launch, launchesDone: done)
  }

  private static func cases(_ random: inout SeededRandom) -> [BudgetDivision.Case] {
    (0..<random.index(below: 9)).map { index in
      undecided(
        "case \(index)", spread: 0.3 * random.unit() * random.unit(),
        pair: 0.001 + 0.05 * random.unit(), launch: 0.3 * random.unit(),
        done: random.index(below: 41))
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `the time given is never exceeded, nor the most launches of a case`(seed: UInt64) {
    var random = SeededRandom(seed: seed, label: "budgets")
    let cases = Self.cases(&random)
    let seconds = 60 * random.unit()
    let division = BudgetDivision(seconds: seconds, among: cases, settings: Self.settings)
    #expect(division.launches.count == cases.count)
    // Sums of some hundred roundings.
    #expect(division.seconds <= seconds * (1 + 1e-12))
    for (each, launches) in zip(cases, division.launches) {
      #expect(launches >= 0)
      #expect(launches == 0 || each.launchesDone + launches <= 40)
      if !division.unsettled.contains(each.name) {
        let pairs = Double((each.launchesDone + launches) * 20)
        let needed = BudgetDivision.pairsNeeded(spread: each.spread, settings: Self.settings)
        #expect(launches > 0 && pairs >= needed)
      }
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `what is left over is too little for any launch that could still be used`(seed: UInt64) {
    var random = SeededRandom(seed: seed, label: "left over")
    let cases = Self.cases(&random)
    let seconds = 20 * random.unit()
    let division = BudgetDivision(seconds: seconds, among: cases, settings: Self.settings)
    for (each, launches) in zip(cases, division.launches)
    where division.unsettled.contains(each.name) && each.launchesDone + launches < 40 {
      let cost = each.launchSeconds + 20 * each.pairSeconds
      #expect(division.seconds + cost > seconds * (1 - 1e-12))
    }
  }

  @Test func `pairs are proportional to the spread over the root of the cost`() {
    // Needs far above what the time allows, so that only the proportion counts.
    let cases = [
      Self.undecided("quiet", spread: 0.04, launch: 0, done: 0),
      Self.undecided("noisy", spread: 0.08, launch: 0, done: 0),
      Self.undecided("costly", spread: 0.08, pair: 0.04, launch: 0, done: 0),
    ]
    // 0.2, 0.2 and 0.8 s a launch: weights 1 : 2 : 1, and 7 s for 5, 10 and 5 launches.
    let settings = GateSettings(looks: [1000])
    let division = BudgetDivision(seconds: 7.0001, among: cases, settings: settings)
    #expect(division.launches == [5, 10, 5])
  }

  @Test func `a launch left by rounding goes to the case furthest below its share`() {
    let cases = [
      Self.undecided("noisy", spread: 0.08, done: 0),
      Self.undecided("quiet", spread: 0.044, done: 0),
    ]
    // Shares of 3.23 and 1.77: 3 and 1 by rounding down, and the second lacks more.
    let division = BudgetDivision(
      seconds: 5 * 0.3001, among: cases, settings: GateSettings(looks: [1000]))
    #expect(division.launches == [3, 2])
  }

  @Test func `what was measured before counts towards the share`() {
    let cases = [
      Self.undecided("new", spread: 0.08, done: 0), Self.undecided("old", spread: 0.08, done: 6),
    ]
    let division = BudgetDivision(
      seconds: 10 * 0.3001, among: cases, settings: GateSettings(looks: [1000]))
    #expect(division.launches == [8, 2])
  }

  @Test func `time enough settles all that can be settled`() {
    let cases = [
      Self.undecided("quiet", spread: 0.02), Self.undecided("noisy", spread: 0.1),
      Self.undecided("hopeless", spread: 3),
    ]
    let division = BudgetDivision(seconds: 1e6, among: cases, settings: Self.settings)
    // 20 and 633 pairs are 2 and 32 launches, but launches go on to the next look.
    #expect(division.launches == [4, 36, 36])
    #expect(division.unsettled == ["hopeless"])
  }

  @Test func `a case that nothing settles takes no time from others`() {
    let cases = [Self.undecided("hopeless", spread: 3), Self.undecided("noisy", spread: 0.1)]
    let division = BudgetDivision(seconds: 36 * 0.3001, among: cases, settings: Self.settings)
    #expect(division.launches == [0, 36])
    #expect(division.unsettled == ["hopeless"])
  }

  @Test func `too little time settles nothing and says so`() {
    let cases = [Self.undecided("a", spread: 0.05), Self.undecided("b", spread: 0)]
    for seconds in [0, -1, 0.29, .nan] {
      let division = BudgetDivision(seconds: seconds, among: cases, settings: Self.settings)
      #expect(division.launches == [0, 0])
      #expect(division.unsettled == ["a", "b"])
      #expect(division.seconds == 0)
    }
    #expect(BudgetDivision(seconds: 9, among: [], settings: Self.settings).launches == [])
  }

  @Test func `numbers that say nothing get nothing`() {
    let cases = [
      Self.undecided("a", spread: .nan), Self.undecided("b", spread: -1),
      Self.undecided("c", spread: .infinity), Self.undecided("d", spread: 0.1, pair: .nan),
      Self.undecided("e", spread: 0.1, pair: 0, launch: 0), Self.undecided("f", spread: 0.02),
    ]
    let division = BudgetDivision(seconds: 100, among: cases, settings: Self.settings)
    #expect(division.launches == [0, 0, 0, 0, 0, 4])
    #expect(division.unsettled == ["a", "b", "c", "d", "e"])
  }

  @Test func `the pairs needed are those of the formula`() {
    // (π/2) (2.652 + 1.282)² (0.018 / (ln 1.03 - ln 1.01))² with 0.004 for the last look: 20.47.
    #expect(BudgetDivision.pairsNeeded(spread: 0.018, settings: Self.settings) == 21)
    // Without spread there still have to be log2(1 / 0.004) pairs.
    #expect(BudgetDivision.pairsNeeded(spread: 0, settings: Self.settings) == 8)
    #expect(BudgetDivision.pairsNeeded(spread: .infinity, settings: Self.settings) == .infinity)
  }
}
