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
  func `a step gives one alert in each run from its third until it is no longer news`(
    seed: UInt64, factor: Double
  ) throws {
    let values = NoiseFixture.stepped(Self.noise(80, seed), at: 50, by: factor)
    for newest in 45..<75 {
      let findings = try HistoryGate.judge(Array(values[...newest]), among: 30)
      // The place may be off by two, and so may the run at which the change is old.
      if newest <= 51 || newest > 62 { #expect(findings.isEmpty, "run \(newest)") }
      guard (52...58).contains(newest) else { continue }
      #expect(findings.map(\.direction) == [factor > 1 ? .slower : .faster])
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

  @Test(arguments: 0...11)
  func `a history too short for a level has no findings`(count: Int) throws {
    // Two levels of three are six runs; fewer, or a history without a step, show nothing.
    #expect(try HistoryGate.judge(Self.noise(count, 8), among: 1).isEmpty)
    let doubled = NoiseFixture.stepped(Self.noise(count, 8), at: count - 2, by: 2)
    #expect(try HistoryGate.judge(doubled, among: 1).isEmpty)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a change found among many cases is also found among few`(seed: UInt64) throws {
    // A step of two deviations, which is found only after several runs.
    let noise = NoiseFixture.factors(count: 60, deviation: 0.02, seed: seed)
    let values = NoiseFixture.stepped(noise, at: 51, by: 1.04)
    let found = try [1, 30, 1000, 1_000_000].map {
      try HistoryGate.judge(values, among: $0).count
    }
    #expect(found == found.sorted(by: >))
    if seed == 1 { #expect(found[0] == 1 && found[3] == 0) }
  }

  @Test func `cases with correlated neighbouring runs alert about as often as documented`()
    throws
  {
    var alarms = 0
    for seed in 1...600 as ClosedRange<UInt64> {
      let values = NoiseFixture.correlated(count: 40, deviation: 0.02, correlation: 0.6, seed: seed)
      var known: [ChangePoint] = []
      for newest in values.indices {
        for finding in try HistoryGate.judge(Array(values[...newest]), among: 30)
        where !known.contains(where: { $0.isSame(as: finding) }) {
          known.append(finding)
        }
      }
      alarms += known.count
    }
    // 20 suites of thirty cases, with 31 judged runs each, at the 3.62 alarms per 100 runs of
    // Statistics.md: 22, with four deviations of √22.
    #expect((4...41).contains(alarms))
  }

  /// Histories with nonlinear climbs and 0.3 % of noise.
  private static let climbs: [(name: String, from: Int, level: @Sendable (Int) -> Double)] = [
    ("ever faster", 15, { 1 + 0.0005 * Double($0 * $0) }),
    ("ever slower", 19, { 1 + 0.05 * Double($0).squareRoot() }),
    ("late", 27, { 1 + 0.01 * Double(max(0, $0 - 20)) }),
    ("late and steep", 36, { 1 + 0.02 * Double(max(0, $0 - 30)) }),
    ("late and ever faster", 24, { 1 + 0.001 * Double(max(0, $0 - 15) * max(0, $0 - 15)) }),
    ("in stairs", 16, { pow(1.02, Double($0 / 4)) }),
  ]

  @Test(arguments: climbs.map(\.name), seeds)
  func `a climb of any shape fails each run once it is found`(name: String, seed: UInt64) throws {
    let climb = try #require(Self.climbs.first { $0.name == name })
    let noise = NoiseFixture.factors(count: 44, deviation: 0.003, seed: seed)
    let values = noise.enumerated().map { $0.element * climb.level($0.offset) }
    // Beyond 44 runs, one of the climbs rises by no more than the noise.
    for count in climb.from...44 {
      let findings = try HistoryGate.judge(Array(values.prefix(count)), among: 30)
      #expect(findings.contains { $0.direction == .slower }, "\(count) runs")
    }
  }

  @Test func `a climb is news until it has ended ten runs ago`() throws {
    let values = NoiseFixture.drifting(Self.noise(60, 3), from: 0, over: 15, to: 1.3)
    for count in 12...22 {
      #expect(try !HistoryGate.judge(Array(values.prefix(count)), among: 30).isEmpty, "\(count)")
    }
    for count in 30...60 {
      #expect(try HistoryGate.judge(Array(values.prefix(count)), among: 30).isEmpty, "\(count)")
    }
  }
}
