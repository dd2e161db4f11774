import Foundation
import Testing

@testable import Measurement

@Suite struct HistoryGateTests {
  private static let seeds = 1...2 as ClosedRange<UInt64>

  private static func noise(_ count: Int, _ seed: UInt64) -> [Double] {
    NoiseFixture.factors(count: count, deviation: 0.005, seed: seed)
  }

  @Test(arguments: seeds, [1.05, 2, 0.5])
  func `a spike in the newest run or before never alerts`(seed: UInt64, height: Double) throws {
    for place in [20, 37, 38, 39] {
      var values = Self.noise(40, seed)
      values[place] *= height
      #expect(try HistoryGate.judge(values, among: 1).isEmpty)
    }
  }

  @Test(arguments: seeds, [1.05, 1 / 1.05])
  func `a step alerts from its third run to the last that it is news, once in each`(
    seed: UInt64, factor: Double
  ) throws {
    let values = NoiseFixture.stepped(Self.noise(80, seed), at: 50, by: factor)
    for newest in 45..<75 {
      let findings = try HistoryGate.judge(Array(values[...newest]), among: 30)
      // The place may be off by two, and with it the run at which it is old.
      if newest <= 51 || newest > 62 { #expect(findings.isEmpty, "run \(newest)") }
      guard (52...58).contains(newest) else { continue }
      #expect(findings.count == 1)
      let finding = try #require(findings.first)
      #expect(finding.direction == (factor > 1 ? .slower : .faster))
      #expect(finding.plausible.lowerBound >= 48 && finding.plausible.upperBound <= 52)
      #expect(abs(finding.ratio / factor - 1) <= 0.02)
      #expect(finding.kind == .step)
    }
    #expect(try ChangePoints.find(in: values).count == 1)
  }

  @Test(arguments: seeds)
  func `all findings of one step are the same, and those of another are not`(seed: UInt64) throws {
    var values = NoiseFixture.stepped(Self.noise(90, seed), at: 40, by: 1.05)
    values = NoiseFixture.stepped(values, at: 70, by: 1.05)
    let first = try (42...48).flatMap {
      try HistoryGate.judge(Array(values[...$0]), among: 30)
    }
    let second = try (72...78).flatMap {
      try HistoryGate.judge(Array(values[...$0]), among: 30)
    }
    #expect(first.allSatisfy { $0.isSame(as: first[0]) })
    #expect(second.allSatisfy { $0.isSame(as: second[0]) })
    #expect(!first.contains { $0.isSame(as: second[0]) })
  }

  @Test(arguments: seeds)
  func `a drift is one alert with the whole climb`(seed: UInt64) throws {
    let values = NoiseFixture.drifting(Self.noise(110, seed), from: 50, over: 50, to: 1.05)
    var findings: [ChangePoint] = []
    for newest in stride(from: 50, to: 105, by: 3) {
      findings += try HistoryGate.judge(Array(values[...newest]), among: 30)
    }
    let last = try #require(findings.last)
    #expect(last.kind == .drift)
    #expect(abs(last.plausible.lowerBound - 50) <= 20)
    #expect(abs(last.plausible.upperBound - 99) <= 20)
    #expect(findings.allSatisfy { $0.isSame(as: last) })
  }

  @Test func `from an accepted step on its level is the normal one`() throws {
    let values = NoiseFixture.stepped(Self.noise(60, 4), at: 53, by: 1.05)
    #expect(try HistoryGate.judge(values, among: 1).count == 1)
    #expect(try HistoryGate.judge(Array(values[53...]), among: 1).isEmpty)
  }

  @Test(arguments: 0...11)
  func `a history too short to know a level says nothing`(count: Int) throws {
    // Two levels of three are six runs; with fewer, or without a step, nothing is known.
    #expect(try HistoryGate.judge(Self.noise(count, 8), among: 1).isEmpty)
    let doubled = NoiseFixture.stepped(Self.noise(count, 8), at: count - 2, by: 2)
    #expect(try HistoryGate.judge(doubled, among: 1).isEmpty)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `what is found among many cases is found among few`(seed: UInt64) throws {
    // A step of two deviations, which is seen sooner or later.
    let noise = NoiseFixture.factors(count: 60, deviation: 0.02, seed: seed)
    let values = NoiseFixture.stepped(noise, at: 51, by: 1.04)
    let found = try [1, 30, 1000, 1_000_000].map {
      try HistoryGate.judge(values, among: $0).count
    }
    #expect(found == found.sorted(by: >))
    if seed == 1 { #expect(found[0] == 1 && found[3] == 0) }
  }

  /// The figures of thousands of runs are in Benchmarks/Results; these are 200.
  ///
  /// A test that took neighbours for independent, or knew their correlation and still counted all
  /// values as degrees of freedom, raised 13 and more of these alarms.
  @Test func `thirty cases whose neighbouring runs are alike hardly ever alert`() throws {
    var alarms = 0
    for seed in 1...150 as ClosedRange<UInt64> {
      let values = NoiseFixture.alike(count: 40, deviation: 0.02, correlation: 0.6, seed: seed)
      var known: [ChangePoint] = []
      for newest in values.indices {
        for finding in try HistoryGate.judge(Array(values[...newest]), among: 30)
        where !known.contains(where: { $0.isSame(as: finding) }) {
          known.append(finding)
        }
      }
      alarms += known.count
    }
    // Five suites of thirty cases and forty runs: two in a hundred runs, as Statistics.md says.
    #expect(alarms <= 4)
  }

  @Test func `what a correlation does to means and variances is what is drawn`() {
    let correlation = 0.6
    let count = 60
    let alike = Alikeness(correlation)
    var means: [Double] = []
    var squares: [Double] = []
    for seed in 1...2000 as ClosedRange<UInt64> {
      let values = NoiseFixture.alike(
        count: count, deviation: 0.01, correlation: correlation, seed: seed
      ).map { ($0 - 1) * 100 }
      let mean = values.reduce(0, +) / Double(count)
      means.append(mean)
      squares.append(values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) })
    }
    func mean(_ numbers: [Double]) -> Double { numbers.reduce(0, +) / Double(numbers.count) }
    func variance(_ numbers: [Double]) -> Double {
      let middle = mean(numbers)
      return mean(numbers.map { ($0 - middle) * ($0 - middle) })
    }
    // 2,000 variances are known to 3 %; the formulas are those of many values.
    #expect(abs(variance(means) * Double(count) / alike.inflation - 1) < 0.15)
    #expect(abs(mean(squares) / (Double(count) - alike.inflation) - 1) < 0.05)
    // Of so many degrees of freedom, the relative variance is twice their reciprocal.
    let freedom = alike.degreesOfFreedom(of: Double(count), fitted: 1)
    let relative = variance(squares) / (mean(squares) * mean(squares))
    #expect(abs(relative * freedom / 2 - 1) < 0.2)
  }
}
