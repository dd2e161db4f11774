import Measurement
import Testing

@Suite struct WarmUpTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `what is dropped is never more than can be judged, and a longer unit changes nothing`(
    seed: UInt64
  ) {
    var random = SeededRandom(seed: seed, label: "warm-up")
    let samples = (0..<random.index(below: 40)).map { _ in UInt64(1000 + random.index(below: 200)) }
    let dropped = WarmUp.samplesToDrop(samples)
    #expect((0...WarmUp.most).contains(dropped))
    #expect(dropped == 0 || dropped + 10 <= samples.count)
    #expect(WarmUp.samplesToDrop(samples.map { $0 * 1024 }) == dropped)
    // What comes after the most that is ever looked at is not looked at.
    if samples.count >= 20 {
      #expect(WarmUp.samplesToDrop(samples + [9, 9_000_000]) == dropped)
    }
  }

  @Test(arguments: 0...12)
  func `slow first samples are dropped but for those a median bears and a long plateau`(slow: Int) {
    let samples = [UInt64](repeating: 20_000, count: slow) + [UInt64](repeating: 1000, count: 30)
    // Two slow ones of five leave the median as it is; of ten, eight look like a steady start.
    let expected = slow < 8 ? max(slow - 2, 0) : 0
    #expect(WarmUp.samplesToDrop(samples) == expected)
  }

  @Test func `five per cent are steady and more are not`() {
    func steps(_ before: UInt64, _ after: UInt64) -> [UInt64] {
      [UInt64](repeating: before, count: 5) + [UInt64](repeating: after, count: 15)
    }
    #expect(WarmUp.samplesToDrop(steps(105, 100)) == 0)
    #expect(WarmUp.samplesToDrop(steps(106, 100)) == 3)
    // A process that becomes slower has not settled either.
    #expect(WarmUp.samplesToDrop(steps(100, 105)) == 0)
    #expect(WarmUp.samplesToDrop(steps(100, 106)) == 3)
  }

  @Test func `samples that never settle are dropped as far as was tried`() {
    let growing = (0..<30).map { UInt64(1) << UInt64($0) }
    #expect(WarmUp.samplesToDrop(growing) == 10)
    #expect(WarmUp.samplesToDrop(Array(growing[..<15])) == 5)
    #expect(WarmUp.samplesToDrop(Array(growing[..<9])) == 0)
    #expect(WarmUp.samplesToDrop([]) == 0)
    #expect(WarmUp.samplesToDrop([UInt64](repeating: 0, count: 20)) == 0)
  }
}
