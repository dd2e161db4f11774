import Testing

@testable import Measurement

@Suite struct StepLocationTests {
  @Test func `the range encloses the truth about as often as stated`() throws {
    var enclosed = 0
    var runs = 0
    for seed in 1...400 as ClosedRange<UInt64> {
      let noise = NoiseFixture.factors(count: 50, deviation: 0.02, seed: seed)
      let series = try LevelSeries(
        NoiseFixture.stepped(noise, at: 30, by: 1.04), minimumSegment: 3)
      let location = try #require(StepLocation(series, segment: 0..<50, minimum: 3))
      #expect(location.range.contains(location.index))
      if location.range.contains(30) { enclosed += 1 }
      runs += location.range.count
    }
    // 95 % is for small steps; greater ones are enclosed more or less often, as places are whole
    // numbers. Four deviations of 400 draws are 4.4 %.
    #expect(enclosed >= 362)
    // A range over all 45 places would enclose it too. With d the step in deviations, the excess
    // grows by d² for each run off the truth: 7.35 / 4 is not two runs on each side, and noise may
    // treble that.
    #expect(runs <= 12 * 400)
  }

  @Test func `a segment that has no room for two levels has no place`() throws {
    let series = try LevelSeries([1, 1, 1, 2, 2, 2], minimumSegment: 3)
    #expect(StepLocation(series, segment: 0..<5, minimum: 3) == nil)
    #expect(StepLocation(series, segment: 0..<6, minimum: 3)?.range == 3...3)
  }
}
