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
      #expect(try HistoryGate.judge(values).isEmpty)
    }
  }

  @Test(arguments: seeds, [1.05, 1 / 1.05])
  func `a step alerts from its second run to the last that it is news, once in each`(
    seed: UInt64, factor: Double
  ) throws {
    let values = NoiseFixture.stepped(Self.noise(80, seed), at: 50, by: factor)
    for newest in 45..<75 {
      let findings = try HistoryGate.judge(Array(values[...newest]))
      // The place may be off by two, and with it the run at which it is old.
      if newest <= 50 || newest > 62 { #expect(findings.isEmpty, "run \(newest)") }
      guard (51...58).contains(newest) else { continue }
      #expect(findings.count == 1)
      let finding = try #require(findings.first)
      #expect(finding.direction == (factor > 1 ? .slower : .faster))
      #expect(finding.plausible.lowerBound >= 48 && finding.plausible.upperBound <= 52)
      #expect(abs(finding.ratio / factor - 1) <= 0.02)
      #expect(finding.kind == (newest == 51 ? .beyondPrediction : .step))
    }
    #expect(try ChangePoints.find(in: values).count == 1)
  }

  @Test(arguments: seeds)
  func `all findings of one step are the same, and those of another are not`(seed: UInt64) throws {
    var values = NoiseFixture.stepped(Self.noise(90, seed), at: 40, by: 1.05)
    values = NoiseFixture.stepped(values, at: 70, by: 1.05)
    let first = try (41...48).flatMap { try HistoryGate.judge(Array(values[...$0])) }
    let second = try (71...78).flatMap { try HistoryGate.judge(Array(values[...$0])) }
    #expect(first.allSatisfy { $0.isSame(as: first[0]) })
    #expect(second.allSatisfy { $0.isSame(as: second[0]) })
    #expect(!first.contains { $0.isSame(as: second[0]) })
  }

  @Test(arguments: seeds)
  func `a drift is one alert with the whole climb`(seed: UInt64) throws {
    let values = NoiseFixture.drifting(Self.noise(110, seed), from: 50, over: 50, to: 1.05)
    var findings: [ChangePoint] = []
    for newest in stride(from: 50, to: 105, by: 3) {
      findings += try HistoryGate.judge(Array(values[...newest]))
    }
    let last = try #require(findings.last)
    #expect(last.kind == .drift)
    #expect(abs(last.plausible.lowerBound - 50) <= 20)
    #expect(abs(last.plausible.upperBound - 99) <= 20)
    #expect(findings.allSatisfy { $0.isSame(as: last) })
  }

  @Test func `from an accepted step on its level is the normal one`() throws {
    let values = NoiseFixture.stepped(Self.noise(60, 4), at: 53, by: 1.05)
    #expect(try HistoryGate.judge(values).count == 1)
    #expect(try HistoryGate.judge(Array(values[53...])).isEmpty)
  }

  @Test(arguments: 0...11)
  func `a history too short to know a level says nothing`(count: Int) throws {
    // Two levels of three are six runs; with fewer, or without a step, nothing is known.
    #expect(try HistoryGate.judge(Self.noise(count, 8)).isEmpty)
    let doubled = NoiseFixture.stepped(Self.noise(count, 8), at: count - 2, by: 2)
    #expect(try HistoryGate.judge(doubled).isEmpty)
  }

  /// The goal is one alert in a hundred runs; the figures of thousands are a benchmark's.
  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func `histories without a change hardly ever alert`(seed: UInt64) throws {
    // 2 % is the scatter of ratios to another workload, four times that of pairs.
    let values = NoiseFixture.factors(count: 100, deviation: 0.02, seed: seed)
    var alerts: [ChangePoint] = []
    for newest in values.indices {
      for finding in try HistoryGate.judge(Array(values[...newest]))
      where !alerts.contains(where: { $0.isSame(as: finding) }) {
        alerts.append(finding)
      }
    }
    // One in 100 runs is the goal for the mean; of these few histories one may have two.
    #expect(alerts.count <= 2)
  }
}

@Suite struct PredictionIntervalTests {
  /// With logarithms of ±ln 2, five each: mean 0, s² = 10/9 ln² 2, t(9, .995) = 3.2498.
  @Test func `the interval is the textbook's`() throws {
    let logs = (0..<10).map { ($0 % 2 == 0 ? 1 : -1) * log(2.0) }
    let interval = try #require(PredictionInterval(logarithms: logs))
    #expect(abs(interval.center) <= 1e-15)
    // ln 2 · 3.24984 · √(10/9) · √1.1 = 2.49040.
    #expect(abs(interval.upper - 2.4904) <= 0.0001)
    #expect(abs(interval.lower + interval.upper) <= 1e-14)
  }

  @Test func `nine values foretell nothing`() throws {
    #expect(PredictionInterval(logarithms: [Double](repeating: 1, count: 9)) == nil)
    let constant = try #require(PredictionInterval(logarithms: [Double](repeating: 1, count: 10)))
    #expect(constant.lower == 1 && constant.upper == 1)
  }

  @Test func `only the newest values of the window count`() throws {
    let newest = NoiseFixture.factors(count: 64, deviation: 0.01, seed: 3)
    let long = [Double](repeating: 900, count: 50) + newest
    let interval = try #require(PredictionInterval(logarithms: long))
    #expect(interval == PredictionInterval(logarithms: newest))
  }

  @Test func `as many normal values lie beyond as were allowed`() throws {
    let values = NoiseFixture.factors(count: 7000, deviation: 0.01, seed: 11).map { log($0) }
    var beyond = 0
    for end in stride(from: 20, to: 7000, by: 4) {
      let history = Array(values[end - 20..<end])
      let interval = try #require(
        PredictionInterval(logarithms: history, window: 20, tail: 0.05))
      if values[end] > interval.upper || values[end] < interval.lower { beyond += 1 }
    }
    // 1,745 draws of chance 0.1 have a standard deviation of 12.5; five of these, for the sum of
    // twelve is not quite normal and neighbouring windows overlap. One in six
    // beyond, and not one in ten, would be told nearly always.
    #expect(abs(Double(beyond) - 174.5) <= 63)
  }
}
