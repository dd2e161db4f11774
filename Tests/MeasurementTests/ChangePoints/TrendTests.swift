import Foundation
import Measurement
import Testing

@Suite struct TrendTests {
  /// Runs with a little noise, each a factor slower than the one before.
  private static func runs(
    _ count: Int, factor: Double, noise: Double = 0.003, seed: UInt64 = 1
  ) -> [Double] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { pow(factor, Double($0)) * exp(noise * (random.unit() - 0.5) * 3) }
  }

  @Test(arguments: [1.004, 1.01, 1.02])
  func `a climb from the first run on is a drift`(factor: Double) throws {
    let findings = try HistoryGate.judge(Self.runs(14, factor: factor))
    let drift = try #require(findings.first)
    guard case .drift = drift.kind else {
      Issue.record("it is \(drift.kind)")
      return
    }
    #expect(drift.direction == .slower)
    #expect(abs(log(drift.ratio) - 13 * log(factor)) < 0.01)
    #expect(drift.range == 1...13)
  }

  @Test func `a descent is a drift the other way`() throws {
    let findings = try HistoryGate.judge(Self.runs(20, factor: 0.99))
    #expect(findings.map(\.direction) == [.faster])
  }

  @Test func `a climb that does not matter, or runs too few, are none`() throws {
    #expect(try HistoryGate.judge(Self.runs(20, factor: 1.0005)).isEmpty)
    #expect(try HistoryGate.judge(Self.runs(9, factor: 1.01)).isEmpty)
  }

  @Test func `level runs are no climb`() throws {
    for seed in 0..<200 {
      #expect(try HistoryGate.judge(Self.runs(30, factor: 1, seed: UInt64(seed))).isEmpty)
    }
  }
}
