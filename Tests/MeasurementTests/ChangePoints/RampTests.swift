import Testing

@testable import Measurement

@Suite struct RampTests {
  private static func series(_ values: [Double]) throws -> LevelSeries {
    try LevelSeries(values, minimumSegment: 3)
  }

  private static func sumOfSquares(_ values: ArraySlice<Double>) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  @Test(arguments: [(5, 6), (5, 12), (10, 20), (1, 30)])
  func `an exact climb is found from its first run to its top`(start: Int, length: Int) throws {
    // Factors that multiply up are even steps of the logarithm.
    let values = (0..<40).map { index in
      (0..<min(length, max(0, index - start + 1))).reduce(1.0) { value, _ in value * 1.01 }
    }
    let ramp = try #require(Ramp(try Self.series(values), segment: 0..<40, shortest: 6))
    #expect(ramp.climb == start...start + length - 1)
    #expect(abs(ramp.rise - Double(length) * 0.00995033085316808) <= 1e-12)
    #expect(ramp.scatter <= 1e-12)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `a climb of one run is the step of least squares`(seed: UInt64) throws {
    let noise = NoiseFixture.factors(count: 30, deviation: 0.01, seed: seed)
    let series = try Self.series(NoiseFixture.stepped(noise, at: 13, by: 1.2))
    let step = try #require(StepLocation(series, segment: 4..<28, minimum: 1))
    let ramp = try #require(Ramp(series, segment: 4..<28, shortest: 1))
    // A step is one of the ramps, so none fits worse than it; both agree with plain sums.
    #expect(ramp.scatter <= step.scatter + 1e-12)
    let plain =
      Self.sumOfSquares(series.values[4..<step.index])
      + Self.sumOfSquares(series.values[step.index..<28])
    #expect(abs(step.scatter - plain) <= 1e-12)
    let tooLong = Ramp(series, segment: 4..<10, shortest: 6)
    #expect(tooLong == nil)
  }
}
