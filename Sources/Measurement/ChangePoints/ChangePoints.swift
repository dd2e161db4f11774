internal import RealModule

/// The change points of a history: places where two levels fit better than one, by a t test that is
/// corrected for the search for the place.
///
/// Windows that overlap by half are split recursively where two levels leave the least sum of squares,
/// which is where the t statistic is greatest, while the test finds a difference at ten times the given
/// error rate. These weak candidates are judged over the whole stretch to their neighbours. The least
/// significant is dropped until all are significant, then the smallest until all are large enough: the two
/// passes of Apache Otava (Fleming et al., "Hunter: Using change point detection to hunt for performance
/// regressions", ICPE 2023). Unlike there, spikes are removed first (`DespikedLogs`), levels have a minimum
/// length, windows start from both ends, neighbouring runs may be correlated, and climbs are distinguished
/// from steps.
package enum ChangePoints {
  /// The number of runs searched together, as in Apache Otava.
  static let window = 50

  /// The default chance of a change point in a stretch of runs without a change.
  package static let errorRate = 0.01

  /// The logarithm of the least change that is reported.
  ///
  /// It is half of the 5 % that must be found: with a bound equal to the step, half of the steps would be
  /// missed.
  static let leastChange = Double.log(onePlus: 0.025)

  /// The fewest runs of a level; fewer are spikes.
  static let shortestLevel = 3

  /// Finds the change points of a history.
  ///
  /// - Parameters:
  ///   - values: Positive numbers, such as ratios to a control, oldest first.
  ///   - errorRate: The chance of a change point in a stretch of runs without a change.
  /// - Returns: The changes in ascending order; none if the values are too few for two levels. Multiplying all
  ///   values by a constant changes nothing; reversing them mirrors the change points.
  /// - Throws: `NotARatio` for the first invalid value.
  /// - Complexity: O(n log n) for n values and each round of splits, O(n log n) for each of the at
  ///   most n / 3 candidates that are dropped, and O(n²) for each change point found.
  package static func find(
    in values: [Double], errorRate: Double = errorRate
  ) throws(NotARatio) -> [ChangePoint] {
    find(in: try DespikedLogs(values), errorRate: errorRate)
  }

  static func find(in logs: DespikedLogs, errorRate: Double) -> [ChangePoint] {
    var candidates: Set<Int> = []
    for window in windows(count: logs.count) {
      split(window, of: logs, errorRate: errorRate, into: &candidates)
    }
    var levels = Levels(logs, starts: candidates.sorted())
    levels.merge(errorRate: errorRate)
    levels.mergeAllowingForCorrelation(errorRate: errorRate)
    return StepsAndClimbs.changes(between: levels, of: logs)
  }

  /// Returns windows that overlap by half, from both ends so that reversing time changes nothing.
  private static func windows(count: Int) -> [Range<Int>] {
    guard count > window else { return [0..<count] }
    let starts = stride(from: 0, through: count - window, by: window / 2)
    let mirrored = starts.map { count - window - $0 }
    return Set(starts).union(mirrored).sorted().map { $0..<$0 + window }
  }

  private static func split(
    _ segment: Range<Int>, of logs: DespikedLogs, errorRate: Double,
    into candidates: inout Set<Int>
  ) {
    guard let index = StepLocation(logs, segment: segment, minimum: shortestLevel)?.index
    else { return }
    let parts = [segment.lowerBound..<index, index..<segment.upperBound]
    // The factor is Otava's: a change may be more significant over the segment than over the window.
    guard LevelTest(logs, before: parts[0], after: parts[1]).pValue <= 10 * errorRate
    else { return }
    candidates.insert(index)
    for part in parts { split(part, of: logs, errorRate: errorRate, into: &candidates) }
  }
}

/// The difference between two adjacent ranges of values: Student's t test, and the ratio of medians.
struct LevelTest: Sendable, Hashable {
  /// The two-sided chance, without a change, of so great a difference of means at any place; 1 if unknown.
  ///
  /// By Bonferroni, it is the chance of the t test times the number of places at which two levels could
  /// meet. It is an upper bound, since the tests at neighbouring places are nearly the same test.
  let pValue: Double

  /// The difference of the medians, which a few spikes do not affect.
  let difference: Double

  /// Compares two ranges of values, neither of them empty, in O(n log n) for n values.
  ///
  /// `correlation` is the lag-1 correlation of the values about their level, less than one.
  init(_ logs: DespikedLogs, before: Range<Int>, after: Range<Int>, correlation: Double = 0) {
    difference = logs.median(after) - logs.median(before)
    let fit = CorrelatedFit(
      logs.values[before.lowerBound..<after.upperBound], correlation: correlation
    ) { $0 < after.lowerBound ? 0 : 1 }
    let places = Double(max(1, before.count + after.count + 1 - 2 * ChangePoints.shortestLevel))
    pValue = min(1, places * fit.pValue)
  }
}

/// A history divided into levels, with the tests between adjacent ones.
struct Levels: Sendable {
  private let logs: DespikedLogs

  /// The correlation of neighbouring runs that the tests assume.
  private var correlation = 0.0

  /// The first index of each level except the first, ascending.
  private(set) var starts: [Int]

  private(set) var tests: [LevelTest] = []

  init(_ logs: DespikedLogs, starts: [Int]) {
    self.logs = logs
    self.starts = starts
    tests = starts.indices.map { test($0) }
  }

  /// Returns the two levels that meet at a start, as one range.
  func around(_ position: Int) -> Range<Int> {
    let lower = position > 0 ? starts[position - 1] : 0
    let upper = position + 1 < starts.count ? starts[position + 1] : logs.count
    return lower..<upper
  }

  private func test(_ position: Int) -> LevelTest {
    let around = around(position)
    let index = starts[position]
    return LevelTest(
      logs, before: around.lowerBound..<index, after: index..<around.upperBound,
      correlation: correlation)
  }

  /// Removes change points that autocorrelation can explain.
  ///
  /// Runs that share a host or a time of day vary together, and a t test mistakes a short wave for a level.
  /// The correlation is known only after the levels, so this follows a first merge.
  ///
  /// It is estimated once. Repeated estimates after each removal would recognise random walks better, but a
  /// level removed by mistake looks like correlation, which would then remove the next level.
  mutating func mergeAllowingForCorrelation(errorRate: Double) {
    guard !starts.isEmpty else { return }
    let bounds = [0] + starts + [logs.count]
    let residuals = zip(bounds, bounds.dropFirst()).filter { $0 < $1 }.map { start, end in
      logs.values[start..<end].map { $0 - logs.mean(start..<end) }
    }
    correlation = Self.greatestCorrelation(of: residuals, parameters: 1)
    tests = starts.indices.map { test($0) }
    merge(errorRate: errorRate)
  }

  /// Returns an upper estimate of the correlation of neighbouring errors.
  ///
  /// If the correlation is underestimated, a random walk is mistaken for a step or a drift. So one standard
  /// error is added, which is 1 / √n for n uncorrelated values. The result is at most 0.9, because a climb
  /// that is not straight also leaves correlated residuals.
  static func greatestCorrelation(of pieces: [[Double]], parameters: Double) -> Double {
    let count = Double(pieces.reduce(0) { $0 + $1.count })
    return min(0.9, correlation(of: pieces, parameters: parameters) + 1 / count.squareRoot())
  }

  /// Estimates the correlation of neighbouring errors from residuals.
  ///
  /// A fit follows the values, so residuals are less correlated than errors: for n errors with the
  /// correlation ρ, by (1 + 3ρ) / n about a mean and by (2 + 4ρ) / n about a line (Kendall, "Note on bias
  /// in the estimation of autocorrelation", and Marriott and Pope, Biometrika 1954; for the line, van
  /// Giersbergen, Economics Letters 2005). The estimate corrects this bias.
  ///
  /// The number of parameters is 1 for a mean, 2 for a line; the result is from 0 to 0.9.
  static func correlation(of pieces: [[Double]], parameters: Double) -> Double {
    var (product, square) = (0.0, 0.0)
    for residuals in pieces {
      product += zip(residuals, residuals.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
      square += residuals.reduce(0) { $0 + $1 * $1 }
    }
    guard square > 0 else { return 0 }
    let correlation = product / square
    let length = Double(pieces.reduce(0) { $0 + $1.count }) / Double(pieces.count)
    let bias = (parameters + (parameters + 2) * max(0, correlation)) / length
    return min(max(correlation + bias, 0), 0.9)
  }

  /// Removes starts until each level is long enough and differs enough from its neighbours.
  mutating func merge(errorRate: Double) {
    while let position = weakest(errorRate: errorRate) {
      starts.remove(at: position)
      tests.remove(at: position)
      for neighbour in [position - 1, position] where starts.indices.contains(neighbour) {
        tests[neighbour] = test(neighbour)
      }
    }
  }

  private func weakest(errorRate: Double) -> Int? {
    // Overlapping windows may find one step at two places, a run or two apart; the more significant place
    // stays.
    let close = starts.indices.filter { position in
      let around = around(position)
      return starts[position] - around.lowerBound < ChangePoints.shortestLevel
        || around.upperBound - starts[position] < ChangePoints.shortestLevel
    }
    if let worst = close.max(by: { tests[$0].pValue < tests[$1].pValue }) { return worst }
    if let worst = starts.indices.max(by: { tests[$0].pValue < tests[$1].pValue }),
      tests[worst].pValue > errorRate
    {
      return worst
    }
    let smallest = starts.indices.min {
      tests[$0].difference.magnitude < tests[$1].difference.magnitude
    }
    return smallest.flatMap {
      tests[$0].difference.magnitude < ChangePoints.leastChange ? $0 : nil
    }
  }
}
