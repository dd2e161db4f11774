import Testing

@testable import Measurement

@Suite struct LevelsTests {
  private static let settings = ChangePointSettings()

  private static func merged(_ values: [Double]) throws -> (first: [Int], second: [Int]) {
    let series = try LevelSeries(values, minimumSegment: settings.minimumSegment)
    var levels = Levels(
      series, starts: Array(stride(from: 10, to: values.count, by: 10)), settings: settings)
    levels.merge()
    let first = levels.starts
    levels.mergeAllowingForCorrelation()
    return (first, levels.starts)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `of many starts those of true levels stay`(seed: UInt64) throws {
    let noise = NoiseFixture.factors(count: 100, deviation: 0.01, seed: seed)
    let values = NoiseFixture.stepped(
      NoiseFixture.stepped(noise, at: 30, by: 1.06), at: 70, by: 1 / 1.05)
    #expect(try Self.merged(values) == ([30, 70], [30, 70]))
  }

  @Test func `levels that neighbours being alike have made go in the second merge`() throws {
    var before = 0
    var after = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      var state = 1.0
      let values = NoiseFixture.factors(count: 100, deviation: 0.02, seed: seed).map { factor in
        state = 1 + 0.8 * (state - 1) + 0.6 * (factor - 1)
        return state
      }
      let merged = try Self.merged(values)
      #expect(Set(merged.second).isSubset(of: merged.first))
      before += merged.first.count
      after += merged.second.count
    }
    #expect(before >= 10)
    // A correlation of 0.8 makes errors three times as great: few of the differences are left.
    #expect(after <= before / 2)
  }

  @Test func `starts too close for a level between them become one`() throws {
    let series = try LevelSeries(
      NoiseFixture.stepped(
        NoiseFixture.factors(count: 60, deviation: 0.005, seed: 3), at: 30, by: 1.05),
      minimumSegment: 3)
    var levels = Levels(series, starts: [1, 28, 30, 31, 58], settings: Self.settings)
    levels.merge()
    #expect(levels.starts == [30])
    #expect(levels.around(0) == 0..<60)
    #expect(levels.tests.count == 1)
  }
}
