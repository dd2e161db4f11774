import Measurement
import Testing

@Suite struct HolmCorrectionTests {
  private static func chances(_ random: inout SeededRandom) -> [Double] {
    // Cubed, so that some are small enough to be rejected.
    (0..<(1 + random.index(below: 12))).map { _ in
      let unit = random.unit()
      return unit * unit * unit
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `a smaller chance or a higher rate never rejects less`(seed: UInt64) {
    var random = SeededRandom(seed: seed, label: "Holm is monotone")
    let chances = Self.chances(&random)
    let before = HolmCorrection.rejected(chances, errorRate: 0.05)
    var smaller = chances
    smaller[random.index(below: chances.count)] *= random.unit()
    for after in [
      HolmCorrection.rejected(smaller, errorRate: 0.05),
      HolmCorrection.rejected(chances, errorRate: 0.05 + 0.2 * random.unit()),
    ] {
      #expect(zip(before, after).allSatisfy { !$0 || $1 })
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `it rejects at least what Bonferroni does and at most what one test alone does`(
    seed: UInt64
  ) {
    var random = SeededRandom(seed: seed, label: "Holm between the two")
    let chances = Self.chances(&random)
    let rejected = HolmCorrection.rejected(chances, errorRate: 0.05)
    for (chance, isRejected) in zip(chances, rejected) {
      if chance <= 0.05 / Double(chances.count) { #expect(isRejected) }
      if chance > 0.05 { #expect(!isRejected) }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the order of the cases does not matter`(seed: UInt64) {
    var random = SeededRandom(seed: seed, label: "Holm in any order")
    let chances = Self.chances(&random)
    let order = random.permutation(of: chances.count)
    let there = HolmCorrection.rejected(chances, errorRate: 0.05)
    let back = HolmCorrection.rejected(order.map { chances[$0] }, errorRate: 0.05)
    #expect(back == order.map { there[$0] })
  }

  @Test func `a false rejection among true hypotheses is as rare as stated`() {
    var random = SeededRandom(seed: 5)
    let repetitions = 4000
    let families = (0..<repetitions).count { _ in
      HolmCorrection.rejected((0..<30).map { _ in random.unit() }, errorRate: 0.05).contains(true)
    }
    // 1 - (1 - 0.05 / 30)^30 = 4.88 %, and five binomial deviations of 0.34 %.
    #expect(abs(Double(families) / Double(repetitions) - 0.0488) < 0.017)
  }

  @Test func `the first chance that fails saves the rest`() {
    // 0.05 / 4, / 3, / 2: the third fails, so the fourth is saved although it is below 0.05.
    #expect(
      HolmCorrection.rejected([0.04, 0.01, 0.03, 0.0125], errorRate: 0.05)
        == [false, true, false, true])
    #expect(HolmCorrection.rejected([], errorRate: 0.05) == [])
    #expect(
      HolmCorrection.rejected([.nan, 0.025, 0.03], errorRate: 0.05) == [false, false, false])
    #expect(HolmCorrection.rejected([.nan, 0.016], errorRate: 0.05) == [false, true])
  }
}
