import Measurement
import Testing

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
      #expect(finding.range.lowerBound >= 48 && finding.range.upperBound <= 52)
      #expect(abs(finding.ratio / factor - 1) <= 0.02)
      switch finding.kind {
      case .beyondPrediction(let interval):
        #expect(newest == 51)
        #expect(interval.lower < 1 && interval.upper > 1)
      case .step: #expect(newest > 51)
      case .drift: Issue.record("a step is no drift")
      }
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
    var findings: [GateFinding] = []
    for newest in stride(from: 50, to: 105, by: 3) {
      findings += try HistoryGate.judge(Array(values[...newest]))
    }
    let last = try #require(findings.last)
    guard case .drift(let change) = last.kind else {
      Issue.record("the last finding is \(last.kind)")
      return
    }
    #expect(change.range == last.range)
    #expect(abs(change.range.lowerBound - 50) <= 20)
    #expect(abs(change.range.upperBound - 99) <= 20)
    #expect(findings.allSatisfy { $0.isSame(as: last) })
  }

  @Test func `an acknowledged step is the new normal`() throws {
    let values = NoiseFixture.stepped(Self.noise(60, 4), at: 53, by: 1.05)
    #expect(try HistoryGate.judge(values).count == 1)
    let accepted = HistoryGateSettings(acknowledged: [10, 53])
    #expect(try HistoryGate.judge(values, settings: accepted).isEmpty)
    // What comes after is judged by it, with indexes of the whole history.
    let later = NoiseFixture.stepped(Self.noise(90, 4), at: 53, by: 1.05)
    let again = NoiseFixture.stepped(later, at: 84, by: 1.05)
    let finding = try #require(try HistoryGate.judge(again, settings: accepted).first)
    #expect(abs(finding.range.lowerBound - 84) <= 2)
    guard case .step(let change) = finding.kind else {
      Issue.record("found \(finding.kind)")
      return
    }
    #expect(abs(change.index - 84) <= 2 && change.range == finding.range)
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
    var alerts: [GateFinding] = []
    for newest in values.indices {
      for finding in try HistoryGate.judge(Array(values[...newest]))
      where !alerts.contains(where: { $0.isSame(as: finding) }) {
        alerts.append(finding)
      }
    }
    // One in 100 runs is the goal for the mean; of these few histories one may have two.
    #expect(alerts.count <= 2)
  }

  @Test func `bad values and settings are refused, by their index in the whole history`() {
    let values = [1.0, 1, 1, -1, 1]
    #expect(throws: SeriesError.notARatio(index: 3)) { try HistoryGate.judge(values) }
    #expect(throws: SeriesError.notARatio(index: 3)) {
      try HistoryGate.judge(values, settings: HistoryGateSettings(acknowledged: [2]))
    }
    #expect(throws: SeriesError.noSuchRun(index: 5, count: 5)) {
      try HistoryGate.judge(values, settings: HistoryGateSettings(acknowledged: [1, 5]))
    }
    for settings in [
      HistoryGateSettings(changePoints: ChangePointSettings(window: 1)),
      HistoryGateSettings(prediction: PredictionInterval.Settings(tail: 1)),
      HistoryGateSettings(alertWithin: -1),
    ] {
      #expect(throws: SeriesError.self) { try HistoryGate.judge([1], settings: settings) }
    }
  }
}
