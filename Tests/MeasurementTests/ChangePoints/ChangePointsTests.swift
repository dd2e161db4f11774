import Testing

@testable import Measurement

@Suite struct ChangePointsTests {
  private static let seeds = 1...2 as ClosedRange<UInt64>

  /// Returns a history with steps up and down, a climb and spikes, longer than a window.
  private static func eventful(seed: UInt64) -> [Double] {
    var values = NoiseFixture.factors(count: 170, deviation: 0.005, seed: seed)
    values = NoiseFixture.stepped(values, at: 25, by: 1.06)
    values = NoiseFixture.stepped(values, at: 47, by: 0.96)
    values = NoiseFixture.drifting(values, from: 80, over: 40, to: 1.08)
    values[15] *= 1.3
    values[60] *= 0.7
    return values
  }

  @Test(arguments: seeds, [1e-9, 0.3, 7, 1e12])
  func `a constant factor changes nothing`(seed: UInt64, factor: Double) throws {
    let values = Self.eventful(seed: seed)
    let found = try ChangePoints.find(in: values)
    let scaled = try ChangePoints.find(in: values.map { $0 * factor })
    #expect(!found.isEmpty)
    #expect(found.map(\.index) == scaled.map(\.index))
    #expect(found.map(\.plausible) == scaled.map(\.plausible))
    #expect(found.map(\.kind) == scaled.map(\.kind))
    // Rounding errors of logarithms of products: a few units in the last place of 30, relative to one.
    let close = zip(found, scaled).allSatisfy { abs($0.ratio - $1.ratio) <= 1e-13 }
    #expect(close)
  }

  @Test(arguments: seeds)
  func `the mirror image has the mirrored change points`(seed: UInt64) throws {
    let values = Self.eventful(seed: seed)
    let there = try ChangePoints.find(in: values)
    let back = try ChangePoints.find(in: values.reversed()).reversed()
    #expect(there.map(\.kind) == back.map(\.kind))
    for (there, back) in zip(there, back) {
      // In the reversed history, the first run after a step is the last run before it.
      #expect(there.plausible.lowerBound == values.count - back.plausible.upperBound)
      #expect(there.plausible.upperBound == values.count - back.plausible.lowerBound)
      if there.kind == .step { #expect(there.index == values.count - back.index) }
      #expect(abs(there.ratio * back.ratio - 1) <= 1e-12)
    }
  }

  @Test(arguments: 0...130)
  func `a constant history has none, however long`(count: Int) throws {
    let values = [Double](repeating: 0.1, count: count)
    #expect(try ChangePoints.find(in: values).isEmpty)
  }

  @Test(arguments: 3...57)
  func `one exact step is one point at its place`(place: Int) throws {
    let values = NoiseFixture.stepped([Double](repeating: 4, count: 60), at: place, by: 1.05)
    let found = try ChangePoints.find(in: values)
    #expect(found.map(\.index) == [place])
    #expect(found.map(\.kind) == [.step])
    #expect(found.map(\.plausible) == [place...place])
    let ratio = try #require(found.first).ratio
    #expect(abs(ratio - 1.05) <= 1e-14)
  }

  @Test(arguments: stride(from: 1 as UInt64, through: 60, by: 3).map(\.self), [1.05, 1 / 1.05])
  func `a step of ten deviations is one point within two runs`(
    seed: UInt64, factor: Double
  ) throws {
    let noise = NoiseFixture.factors(count: 90, deviation: 0.005, seed: seed)
    // The first level has from 3 to 87 runs.
    let place = 3 + Int(seed) * 85 / 61
    let found = try ChangePoints.find(in: NoiseFixture.stepped(noise, at: place, by: factor))
    #expect(found.count == 1)
    let change = try #require(found.first)
    #expect(abs(change.index - place) <= 2)
    #expect(change.plausible.contains(change.index))
    #expect(change.kind == .step)
    #expect(change.direction == (factor > 1 ? .slower : .faster))
    #expect(change.pValue <= ChangePoints.errorRate)
    // The median of three has a standard deviation of 0.67 times that of one; this allows four.
    #expect(abs(change.ratio / factor - 1) <= 4 * 0.67 * 0.005)
  }

  @Test(arguments: seeds, [(1.05, 1.05), (1.05, 0.95), (1.08, 1 / 1.08)])
  func `two steps are two points`(seed: UInt64, factors: (Double, Double)) throws {
    var values = NoiseFixture.factors(count: 80, deviation: 0.004, seed: seed)
    values = NoiseFixture.stepped(values, at: 30, by: factors.0)
    values = NoiseFixture.stepped(values, at: 45, by: factors.1)
    let found = try ChangePoints.find(in: values)
    #expect(found.count == 2)
    #expect(zip(found, [30, 45]).allSatisfy { abs($0.index - $1) <= 2 })
    #expect(found.allSatisfy { $0.kind == .step })
  }

  @Test(arguments: seeds)
  func `a change below the least size is not reported`(seed: UInt64) throws {
    let noise = NoiseFixture.factors(count: 80, deviation: 0.001, seed: seed)
    for (factor, expected) in [(1.02, []), (1.03, [40])] {
      let values = NoiseFixture.stepped(noise, at: 40, by: factor)
      #expect(try ChangePoints.find(in: values).map(\.index) == expected)
    }
  }

  @Test(arguments: [0, -1, .nan, .infinity, -.infinity, 1e300] as [Double])
  func `a value that is not a ratio is refused with its index`(bad: Double) {
    #expect(throws: NotARatio(index: 2)) { try ChangePoints.find(in: [1, 1, bad, 1]) }
    #expect(throws: NotARatio(index: 2)) { try HistoryGate.judge([1, 1, bad, 1], among: 1) }
  }
}

@Suite struct LevelTestTests {
  /// Exponentials of these values, to full precision, whose logarithms differ by one rounding.
  private static let older = [0.01, 0.03, -0.02, 0.00, 0.02]
  private static let newer = [0.06, 0.05, 0.09]

  private static func logs() throws -> DespikedLogs {
    // e^x to 1e-17 by its series, since the values are small.
    try DespikedLogs(
      (older + newer).map { x in
        stride(from: 12.0, through: 1, by: -1).reduce(1.0) { 1 + x / $1 * $0 }
      })
  }

  @Test func `the chance is that of the pooled t test at each of the places`() throws {
    let test = LevelTest(try Self.logs(), before: 0..<5, after: 5..<8)
    // scipy.stats.ttest_ind, two-sided, equal variances. Two levels of three or more can meet at
    // three places among eight.
    #expect(abs(test.pValue - 3 * 0.006635347249896683) <= 1e-9)
    #expect(abs(test.difference - 0.05) <= 1e-12)
  }

  @Test func `false alarms in unchanged histories are as rare as known, but not absent`() throws {
    var found = 0
    for seed in 1...4000 as ClosedRange<UInt64> {
      // With 5 % noise, random steps exceed the least change.
      let values = NoiseFixture.factors(count: 30, deviation: 0.05, seed: seed)
      if try !ChangePoints.find(in: values, errorRate: 0.05).isEmpty { found += 1 }
    }
    // 200 are allowed. Tests at neighbouring places are nearly the same test, and one standard error is
    // added to the correlation, so 24 are expected, with four deviations of √24.
    #expect((5...43).contains(found))
  }

  @Test func `the correlation about a mean and about a line is estimated without bias`() throws {
    var (mean, line) = (0.0, 0.0)
    for seed in 1...300 as ClosedRange<UInt64> {
      let errors = NoiseFixture.correlated(count: 40, deviation: 1, correlation: 0.4, seed: seed)
        .map { $0 - 1 }
      let center = errors.reduce(0, +) / 40
      let moment = zip(0..., errors).reduce(0) { $0 + (Double($1.0) - 19.5) * $1.1 }
      let slope = moment / (40 * (40 * 40 - 1) / 12)
      let residuals = errors.map { $0 - center }
      let detrended = zip(0..., residuals).map { $1 - slope * (Double($0) - 19.5) }
      mean += Levels.correlation(of: [residuals], parameters: 1) / 300
      line += Levels.correlation(of: [detrended], parameters: 2) / 300
    }
    // 300 estimates of 40 have a standard error of 0.15 / √300; this allows five. Without the correction of
    // the bias, they would be 0.055 and 0.09 less.
    #expect(abs(mean - 0.4) <= 0.043)
    #expect(abs(line - 0.4) <= 0.043)
  }

  @Test(arguments: [
    (0.3, 0.07891736657846714), (0.5, 0.1849533238874813), (0.9, 0.5958669722112284),
  ])
  func `with correlated errors the chance is that of generalised least squares`(
    correlation: Double, chance: Double
  ) throws {
    // numpy: X = [[1, i >= 5]], V[i][j] = correlation ** abs(i - j), W = inv(V), C = inv(X.T @ W @ X),
    // b = C @ X.T @ W @ y, r = y - X @ b, t = b[1] / sqrt(r @ W @ r / 6 * C[1][1]); three places
    // times 2 * scipy.stats.t.sf(t, 6).
    let logs = try Self.logs()
    let test = LevelTest(logs, before: 0..<5, after: 5..<8, correlation: correlation)
    #expect(abs(test.pValue / chance - 1) <= 1e-9)
    #expect(test.difference == LevelTest(logs, before: 0..<5, after: 5..<8).difference)
  }

  @Test func `two values show no difference, and neither do equal ones`() throws {
    let two = try DespikedLogs([1, 2])
    #expect(LevelTest(two, before: 0..<1, after: 1..<2).pValue == 1)
    let constant = try DespikedLogs([Double](repeating: 3, count: 8))
    #expect(LevelTest(constant, before: 0..<4, after: 4..<8).pValue == 1)
    let exact = try DespikedLogs([1, 1, 1, 2, 2, 2])
    #expect(LevelTest(exact, before: 0..<3, after: 3..<6).pValue < 1e-30)
  }
}

@Suite struct LevelsTests {
  private static func merged(_ values: [Double]) throws -> (first: [Int], second: [Int]) {
    let logs = try DespikedLogs(values)
    var levels = Levels(logs, starts: Array(stride(from: 10, to: values.count, by: 10)))
    levels.merge(errorRate: 0.01)
    let first = levels.starts
    levels.mergeAllowingForCorrelation(errorRate: 0.01)
    return (first, levels.starts)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `of many starts, only those of true levels are kept`(seed: UInt64) throws {
    let noise = NoiseFixture.factors(count: 100, deviation: 0.01, seed: seed)
    let values = NoiseFixture.stepped(
      NoiseFixture.stepped(noise, at: 30, by: 1.06), at: 70, by: 1 / 1.05)
    #expect(try Self.merged(values) == ([30, 70], [30, 70]))
  }

  @Test func `levels caused by correlated neighbours are removed in the second merge`() throws {
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
    // A correlation of 0.8 triples the error, so few of the differences stay significant.
    #expect(after <= before / 2)
  }

  @Test func `starts too close for a level between them become one`() throws {
    let logs = try DespikedLogs(
      NoiseFixture.stepped(
        NoiseFixture.factors(count: 60, deviation: 0.005, seed: 3), at: 30, by: 1.05))
    var levels = Levels(logs, starts: [1, 28, 30, 31, 58])
    levels.merge(errorRate: 0.01)
    #expect(levels.starts == [30])
    #expect(levels.around(0) == 0..<60)
    #expect(levels.tests.count == 1)
  }
}
