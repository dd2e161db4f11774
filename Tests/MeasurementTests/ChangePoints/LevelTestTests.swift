import Testing

@testable import Measurement

@Suite struct LevelTestTests {
  /// Exponentials of the values below, to full precision; their logarithms differ by one rounding.
  private static let older = [0.01, 0.03, -0.02, 0.00, 0.02]
  private static let newer = [0.06, 0.05, 0.09]

  private static func series() throws -> LevelSeries {
    // e^x to 1e-17 by its series, since the values are small.
    try LevelSeries(
      (older + newer).map { x in
        stride(from: 12.0, through: 1, by: -1).reduce(1.0) { 1 + x / $1 * $0 }
      }, minimumSegment: 3)
  }

  @Test func `the p-value is that of the pooled t test`() throws {
    let test = LevelTest(try Self.series(), before: 0..<5, after: 5..<8)
    // scipy.stats.ttest_ind, two-sided, equal variances.
    #expect(abs(test.pValue - 0.006635347249896683) <= 1e-9)
    #expect(abs(test.difference - 0.05) <= 1e-12)
  }

  @Test func `runs that are alike say less`() throws {
    let series = try Self.series()
    let independent = LevelTest(series, before: 0..<5, after: 5..<8)
    let alike = LevelTest(series, before: 0..<5, after: 5..<8, correlation: 0.5)
    #expect(alike.pValue > 2 * independent.pValue)
    #expect(alike.difference == independent.difference)
  }

  @Test func `two values cannot tell, and equal ones do not differ`() throws {
    let two = try LevelSeries([1, 2], minimumSegment: 3)
    #expect(LevelTest(two, before: 0..<1, after: 1..<2).pValue == 1)
    let constant = try LevelSeries([Double](repeating: 3, count: 8), minimumSegment: 3)
    #expect(LevelTest(constant, before: 0..<4, after: 4..<8).pValue == 1)
    let exact = try LevelSeries([1, 1, 1, 2, 2, 2], minimumSegment: 3)
    #expect(LevelTest(exact, before: 0..<3, after: 3..<6).pValue < 1e-30)
  }
}
