import Foundation
import Testing

@testable import Measurement

@Suite struct StepsAndClimbsTests {
  private static func sumOfSquares(_ values: ArraySlice<Double>) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  @Test(arguments: [(5, 6), (5, 12), (10, 20), (1, 30)])
  func `an exact climb is found from its first run to its top`(start: Int, length: Int) throws {
    // Products of equal factors are equal steps of the logarithm.
    let values = (0..<40).map { index in
      (0..<min(length, max(0, index - start + 1))).reduce(1.0) { value, _ in value * 1.01 }
    }
    let ramp = try #require(Ramp(try DespikedLogs(values), segment: 0..<40, shortest: 6))
    #expect(ramp.climb == start...start + length - 1)
    #expect(abs(ramp.rise - Double(length) * 0.00995033085316808) <= 1e-12)
    #expect(ramp.scatter <= 1e-12)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `a climb of one run is the step of least squares`(seed: UInt64) throws {
    let noise = NoiseFixture.factors(count: 30, deviation: 0.01, seed: seed)
    let logs = try DespikedLogs(NoiseFixture.stepped(noise, at: 13, by: 1.2))
    let step = try #require(StepLocation(logs, segment: 4..<28, minimum: 1))
    let ramp = try #require(Ramp(logs, segment: 4..<28, shortest: 1))
    // A step is a special ramp, so the best ramp fits at least as well; both agree with plain sums.
    #expect(ramp.scatter <= step.scatter + 1e-12)
    let plain =
      Self.sumOfSquares(logs.values[4..<step.index])
      + Self.sumOfSquares(logs.values[step.index..<28])
    #expect(abs(step.scatter - plain) <= 1e-12)
    let tooLong = Ramp(logs, segment: 4..<10, shortest: 6)
    #expect(tooLong == nil)
  }

  @Test func `the range encloses the truth about as often as stated`() throws {
    var enclosed = 0
    var runs = 0
    for seed in 1...400 as ClosedRange<UInt64> {
      let noise = NoiseFixture.factors(count: 50, deviation: 0.02, seed: seed)
      let logs = try DespikedLogs(NoiseFixture.stepped(noise, at: 30, by: 1.04))
      let location = try #require(StepLocation(logs, segment: 0..<50, minimum: 3))
      #expect(location.plausible.contains(location.index))
      if location.plausible.contains(30) { enclosed += 1 }
      runs += location.plausible.count
    }
    // 95 % is exact for small steps; for greater ones it varies, as places are whole numbers. Four deviations
    // of 400 draws are 4.4 %.
    #expect(enclosed >= 362)
    // A range of all 45 places would always contain it. With d the step in deviations, the excess grows by
    // d² per run away from the truth: 7.35 / 4 is less than two runs on each side, and noise may triple
    // that.
    #expect(runs <= 12 * 400)
  }

  @Test func `a segment too short for two levels has no location of a step`() throws {
    let logs = try DespikedLogs([1, 1, 1, 2, 2, 2])
    #expect(StepLocation(logs, segment: 0..<5, minimum: 3) == nil)
    #expect(StepLocation(logs, segment: 0..<6, minimum: 3)?.plausible == 3...3)
  }

  /// Returns runs with a little noise, each a factor slower than the one before.
  private static func runs(
    _ count: Int, factor: Double, noise: Double = 0.003, seed: UInt64 = 1
  ) -> [Double] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { pow(factor, Double($0)) * exp(noise * (random.unit() - 0.5) * 3) }
  }

  @Test(arguments: [1.004, 1.01, 1.02])
  func `a climb from the first run on is a drift`(factor: Double) throws {
    let findings = try HistoryGate.judge(Self.runs(14, factor: factor), among: 1)
    let drift = try #require(findings.first)
    #expect(drift.kind == .drift)
    #expect(drift.direction == .slower)
    #expect(abs(log(drift.ratio) - 13 * log(factor)) < 0.01)
    #expect(drift.plausible == 1...13)
  }

  @Test func `a climb too small to matter, or of too few runs, is not reported`() throws {
    #expect(try HistoryGate.judge(Self.runs(20, factor: 1.0005), among: 1).isEmpty)
    #expect(try HistoryGate.judge(Self.runs(9, factor: 1.01), among: 1).isEmpty)
  }

  /// Climbs of logarithms, from the first run and from the fifth, with correlated errors.
  @Test(arguments: [
    (0, 0.03, 0.1, 0.29975846572790166, 2 * 5.4607416808562105e-05),
    (4, 0.05, 0.03, 0.34654515352436527, 12 * 5.973677879873526e-11),
  ])
  func `the chance of a drift is that of the slope by generalised least squares`(
    foot: Int, slope: Double, deviation: Double, rise: Double, chance: Double
  ) throws {
    let errors = [0.4, 0.1, 0.2, -0.3, -0.2, 0.3, 0.1, -0.2, -0.4, 0.2, 0.3, -0.1]
    let values = errors.enumerated().map {
      exp(slope * Double(max(0, $0.offset - foot)) + deviation * $0.element)
    }
    let drift = try #require(
      StepsAndClimbs.climb(from: 0..<12, of: try DespikedLogs(values), errorRate: 0.01))
    // numpy: X = [[1, max(0, i - foot)]], the correlation of the residuals of numpy.linalg.lstsq with
    // its bias and standard error as documented, then generalised least squares as in LevelTestTests
    // with ten degrees of freedom. The chance counts twice for the foot 0, and twelve times for six others.
    #expect(drift.plausible == foot + 1...11)
    #expect(abs(drift.ratio - exp(rise)) <= 1e-9)
    #expect(abs(drift.pValue / chance - 1) <= 1e-9)
  }
}
