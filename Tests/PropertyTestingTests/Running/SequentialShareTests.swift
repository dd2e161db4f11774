@testable import PropertyTesting
import Testing

@Suite struct SequentialShareTests {
  /// Returns the decision, tested after every case as in a run, and the number of cases that it took.
  private static func decide(
    truth: Double, share: Double, seed: UInt64, most: Int
  ) -> (verdict: ClassReport.Verdict, cases: Int) {
    var random = SplitMix64(seed: seed)
    var count = 0
    for total in 1...most {
      if random.nextUnit() < truth { count += 1 }
      let verdict = SequentialShare.decide(share: share, count: count, of: total)
      if verdict != .undecided { return (verdict, total) }
    }
    return (.undecided, most)
  }

  // The probability of a wrong decision in any of these tests is one in a million, so a single one refutes the claimed
  // certainty.
  @Test(arguments: [0.02, 0.2, 0.5, 0.9, 1.0])
  func `a share that is reached is never called missed`(_ share: Double) {
    for seed in 0..<60 as Range<UInt64> {
      #expect(Self.decide(truth: share, share: share, seed: seed, most: 20_000).verdict != .missed)
    }
  }

  @Test(arguments: [0.02, 0.2, 0.5, 0.9])
  func `a share below nine tenths of what is required is never called met`(_ share: Double) {
    for seed in 0..<60 as Range<UInt64> {
      let truth = 0.9 * share
      #expect(Self.decide(truth: truth, share: share, seed: seed, most: 20_000).verdict != .met)
    }
  }

  @Test func `clear shares are decided soon`() {
    for seed in 0..<60 as Range<UInt64> {
      let met = Self.decide(truth: 0.6, share: 0.3, seed: seed, most: 5000)
      let missed = Self.decide(truth: 0.1, share: 0.3, seed: seed, most: 5000)
      #expect(met.verdict == .met && met.cases < 1000)
      #expect(missed.verdict == .missed && missed.cases < 1000)
    }
  }

  @Test func `a class never seen is missed, one always seen is met`() {
    #expect(SequentialShare.decide(share: 0.05, count: 0, of: 2000) == .missed)
    #expect(SequentialShare.decide(share: 0.05, count: 0, of: 100) == .undecided)
    #expect(SequentialShare.decide(share: 1, count: 2000, of: 2000) == .met)
    #expect(SequentialShare.decide(share: 1.5, count: 2000, of: 2000) == .missed)
    #expect(SequentialShare.decide(share: .nan, count: 2000, of: 2000) == .missed)
  }

  @Test func `Wilson's interval covers the rate as often as it says`() {
    var covered = 0
    let trials = 2000
    for seed in 0..<UInt64(trials) {
      var random = SplitMix64(seed: seed)
      let rate = 0.05 + 0.9 * random.nextUnit()
      let count = (0..<40).reduce(0) { sum, _ in sum + (random.nextUnit() < rate ? 1 : 0) }
      if SequentialShare.wilson(count, of: 40, deviations: 1.96).contains(rate) { covered += 1 }
    }
    // Averaged over rates, Wilson's interval covers 95 %; four standard errors of 2000 trials are 2 %.
    let share = Double(covered) / Double(trials)
    #expect(share > 0.93 && share < 0.97)
  }

  @Test func `an interval holds its rate and stays within 0 and 1`() {
    for total in [1, 2, 40, 1000] {
      for count in [0, 1, total / 2, total] where count <= total {
        for deviations in [1.96, 6.1] {
          let interval = SequentialShare.wilson(count, of: total, deviations: deviations)
          #expect(interval.lowerBound >= 0 && interval.upperBound <= 1)
          #expect(interval.contains(Double(count) / Double(total)))
        }
      }
    }
  }
}
