import Measurement
import Testing

@Suite struct BudgetDivisionTests {
  private static let settings = GateSettings()

  private static func undecided(
    spread: Double, launch: Double = 0.3, done: Int = 4
  ) -> BudgetDivision.Case {
    BudgetDivision.Case(spread: spread, launchSeconds: launch, launchesDone: done)
  }

  private static func cases(_ random: inout SeededRandom) -> [BudgetDivision.Case] {
    (0..<random.index(below: 9)).map { _ in
      undecided(
        spread: 0.3 * random.unit() * random.unit(), launch: 0.02 + 1.3 * random.unit(),
        done: random.index(below: 41))
    }
  }

  /// The seconds that the launches given take.
  private static func seconds(
    _ division: BudgetDivision, _ cases: [BudgetDivision.Case]
  ) -> Double {
    zip(cases, division.launches).reduce(0) { $0 + Double($1.1) * $1.0.launchSeconds }
  }

  /// The launches in all that settle a case; nil if the most there may be do not.
  private static func needed(_ each: BudgetDivision.Case) -> Int? {
    let pairs = BudgetDivision.pairsNeeded(spread: each.spread, settings: settings)
    let launches = Int((pairs / Double(settings.pairsPerLaunch)).rounded(.up))
    return settings.looks.last.map { $0 >= launches } == true ? launches : nil
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `the time given is never exceeded, nor the most launches of a case`(seed: UInt64) {
    var random = SeededRandom(seed: seed, label: "budgets")
    let cases = Self.cases(&random)
    let seconds = 60 * random.unit()
    let division = BudgetDivision(seconds: seconds, among: cases, settings: Self.settings)
    #expect(division.launches.count == cases.count)
    // Sums of some hundred roundings.
    #expect(Self.seconds(division, cases) <= seconds * (1 + 1e-12))
    for (each, launches) in zip(cases, division.launches) {
      #expect(launches >= 0)
      #expect(launches == 0 || each.launchesDone + launches <= 40)
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `what is left over is too little for any launch that could still be used`(seed: UInt64) {
    var random = SeededRandom(seed: seed, label: "left over")
    let cases = Self.cases(&random)
    let seconds = 20 * random.unit()
    let division = BudgetDivision(seconds: seconds, among: cases, settings: Self.settings)
    let taken = Self.seconds(division, cases)
    for (each, launches) in zip(cases, division.launches) {
      let all = each.launchesDone + launches
      // Settled by what it has, once there is a look at it, or given all there may be.
      let isServed = launches > 0 && Self.needed(each).map { all >= $0 } == true
      if isServed || all >= 40 { continue }
      #expect(taken + each.launchSeconds > seconds * (1 - 1e-12))
    }
  }

  @Test func `launches are proportional to the spread over the root of the cost`() {
    // Needs far above what the time allows, so that only the proportion counts.
    let cases = [
      Self.undecided(spread: 0.04, launch: 0.2, done: 0),
      Self.undecided(spread: 0.08, launch: 0.2, done: 0),
      Self.undecided(spread: 0.08, launch: 0.8, done: 0),
    ]
    // Weights 1 : 2 : 1, and 7 s for 5, 10 and 5 launches.
    let settings = GateSettings(looks: [1000])
    let division = BudgetDivision(seconds: 7.0001, among: cases, settings: settings)
    #expect(division.launches == [5, 10, 5])
  }

  @Test func `a launch left by rounding goes to the case furthest below its share`() {
    let cases = [Self.undecided(spread: 0.08, done: 0), Self.undecided(spread: 0.044, done: 0)]
    // Shares of 3.23 and 1.77: 3 and 1 by rounding down, and the second lacks more.
    let division = BudgetDivision(
      seconds: 5 * 0.3001, among: cases, settings: GateSettings(looks: [1000]))
    #expect(division.launches == [3, 2])
  }

  @Test func `what was measured before counts towards the share`() {
    let cases = [Self.undecided(spread: 0.08, done: 0), Self.undecided(spread: 0.08, done: 6)]
    let division = BudgetDivision(
      seconds: 10 * 0.3001, among: cases, settings: GateSettings(looks: [1000]))
    #expect(division.launches == [8, 2])
  }

  @Test func `with time enough each case goes on to the look that should settle it`() {
    let cases = [0.02, 0.1, 3].map { Self.undecided(spread: $0) }
    let division = BudgetDivision(seconds: 1e6, among: cases, settings: Self.settings)
    // 26 and 633 pairs are 2 and 32 launches, but launches go on to the next look; the third would
    // need more than there may be.
    #expect(division.launches == [4, 36, 36])
  }

  @Test func `a case that nothing settles takes no time from others`() {
    let cases = [Self.undecided(spread: 3), Self.undecided(spread: 0.1)]
    let division = BudgetDivision(seconds: 36 * 0.3001, among: cases, settings: Self.settings)
    #expect(division.launches == [0, 36])
  }

  @Test func `too little time gives nothing`() {
    let cases = [Self.undecided(spread: 0.05), Self.undecided(spread: 0)]
    for seconds in [0, -1, 0.29, .nan] {
      let division = BudgetDivision(seconds: seconds, among: cases, settings: Self.settings)
      #expect(division.launches == [0, 0])
    }
    #expect(BudgetDivision(seconds: 9, among: [], settings: Self.settings).launches == [])
  }

  @Test func `numbers that say nothing get nothing, and take nothing from others`() {
    let cases = [
      Self.undecided(spread: .nan), Self.undecided(spread: -1), Self.undecided(spread: .infinity),
      Self.undecided(spread: 0.1, launch: .nan), Self.undecided(spread: 0.1, launch: .infinity),
      Self.undecided(spread: 0.1, launch: 0), Self.undecided(spread: 0.02),
    ]
    let division = BudgetDivision(seconds: 100, among: cases, settings: Self.settings)
    #expect(division.launches == [0, 0, 0, 0, 0, 0, 4])
  }

  @Test func `the pairs needed are those of the formula`() {
    // (π/2) (2.652 + 1.282)² (0.018 / (ln 1.03 - ln 1.01))² with 0.004 for the last look: 20.47.
    #expect(BudgetDivision.pairsNeeded(spread: 0.018, settings: Self.settings) == 21)
    // Without spread there still have to be log2(1 / 0.004) pairs.
    #expect(BudgetDivision.pairsNeeded(spread: 0, settings: Self.settings) == 8)
    #expect(BudgetDivision.pairsNeeded(spread: .infinity, settings: Self.settings) == .infinity)
  }
}
