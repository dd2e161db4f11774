internal import RealModule

/// The change points of a history, by E-divisive with a t test and a strict second pass.
///
/// As in Apache Otava (Fleming et al., "Hunter: Using change point detection to hunt for
/// performance regressions", ICPE 2023): windows that overlap by half are split, and split again,
/// at the greatest energy statistic while a t test sees a difference at ten times the p-value
/// asked for. Of these weak candidates, judged over the whole stretch to their neighbours, the
/// least significant is dropped until all are significant, then the smallest until all matter.
/// What is added here: spikes are removed first (`DespikedLogs`), no level is shorter than a
/// minimum, the windows are laid from both ends, neighbouring runs may be alike, and a climb is
/// told from a step.
package enum ChangePoints {
  /// How many runs are searched at a time, as in Apache Otava.
  static let window = 50

  /// The p-value up to which a change is significant, as in Apache Otava.
  static let maximumP = 0.001

  /// The logarithm of the least change that matters.
  ///
  /// Half of the 5 % that shall surely be found: with a bound equal to the step, half of the steps
  /// are missed.
  static let leastChange = Double.log(onePlus: 0.025)

  /// The fewest runs that make a level; fewer are spikes.
  static let shortestLevel = 3

  /// Finds the change points of a history.
  ///
  /// - Parameter values: Positive numbers, such as ratios to a control, oldest first.
  /// - Returns: In ascending order; none for fewer values than make two levels. Multiplying all
  ///   values by a constant changes nothing; reversing them mirrors the change points.
  /// - Throws: `NotARatio` for the first value that is none.
  /// - Complexity: O(nw) for n values and a window of w, and O(n²) for each change point found.
  package static func find(in values: [Double]) throws(NotARatio) -> [ChangePoint] {
    find(in: try DespikedLogs(values))
  }

  static func find(in logs: DespikedLogs) -> [ChangePoint] {
    var candidates: Set<Int> = []
    for window in windows(count: logs.count) {
      let energy = EnergyStatistic(logs.values, window: window)
      split(window, of: logs, by: energy, into: &candidates)
    }
    var levels = Levels(logs, starts: candidates.sorted())
    levels.merge()
    levels.mergeAllowingForCorrelation()
    return StepsAndClimbs.changes(between: levels, of: logs)
  }

  /// Windows that overlap by half, laid from both ends so that the direction of time is no matter.
  private static func windows(count: Int) -> [Range<Int>] {
    guard count > window else { return [0..<count] }
    let starts = stride(from: 0, through: count - window, by: window / 2)
    let mirrored = starts.map { count - window - $0 }
    return Set(starts).union(mirrored).sorted().map { $0..<$0 + window }
  }

  private static func split(
    _ segment: Range<Int>, of logs: DespikedLogs, by energy: EnergyStatistic,
    into candidates: inout Set<Int>
  ) {
    guard let best = energy.best(in: segment, minimum: shortestLevel) else { return }
    let test = LevelTest(logs, before: best.before, after: best.after)
    // Otava's factor: what is significant over the window alone may be more so over the segment.
    guard test.pValue <= 10 * maximumP else { return }
    let index = best.after.lowerBound
    candidates.insert(index)
    for part in [segment.lowerBound..<index, index..<segment.upperBound] {
      split(part, of: logs, by: energy, into: &candidates)
    }
  }
}

/// How two neighbouring runs of values differ: Student's t test, and the ratio of their medians.
struct LevelTest: Sendable, Hashable {
  /// The two-sided chance of this difference of means if there is none; 1 if nothing can be said.
  let pValue: Double

  /// The difference of the medians, which a few spikes do not move.
  let difference: Double

  /// Compares two runs of values, neither of them empty.
  ///
  /// - Parameters:
  ///   - logs: What they are values of.
  ///   - before: The indexes of the older ones.
  ///   - after: The indexes of the newer ones.
  ///   - correlation: That of neighbouring values about their level, below one. The variance of a
  ///     mean is (1 + ρ) / (1 - ρ) times that of independent values where each is ρ times the one
  ///     before plus something new (Box, Jenkins and Reinsel, "Time Series Analysis", 2.1).
  init(_ logs: DespikedLogs, before: Range<Int>, after: Range<Int>, correlation: Double = 0) {
    difference = logs.median(after) - logs.median(before)
    let (n, m) = (Double(before.count), Double(after.count))
    let freedom = n + m - 2
    guard freedom > 0 else {
      pValue = 1
      return
    }
    let distance = (logs.mean(after) - logs.mean(before)).magnitude
    let variance = (logs.scatter(before) + logs.scatter(after)) / freedom
    let inflation = (1 + correlation) / (1 - correlation)
    let error = (variance * (1 / n + 1 / m) * inflation).squareRoot()
    if error > 0 {
      pValue = 2 * StudentT(degreesOfFreedom: freedom).upperTail(distance / error)
    } else {
      pValue = distance > 0 ? 0 : 1
    }
  }
}

/// A history cut into levels, and the tests between neighbouring ones.
struct Levels: Sendable {
  private let logs: DespikedLogs

  /// The correlation of neighbouring runs that the tests allow for.
  private var correlation = 0.0

  /// The first index of each level but the first, ascending.
  private(set) var starts: [Int]

  /// The test at each of the starts.
  private(set) var tests: [LevelTest] = []

  /// Cuts a history at ascending places.
  init(_ logs: DespikedLogs, starts: [Int]) {
    self.logs = logs
    self.starts = starts
    tests = starts.indices.map { test($0) }
  }

  /// The two levels that meet at a start, as one range.
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

  /// Removes the starts that neighbouring runs being alike could have made.
  ///
  /// Runs that share a host, or the weather, wander together, and to a t test a short walk is a
  /// level. How much they do is only seen once the levels are known, so this comes after a first
  /// merge. It is estimated at zero or more, so that chance never sharpens the test, and at 0.9 or
  /// less, so that a drift, whose residuals go together too, is not lost in it.
  mutating func mergeAllowingForCorrelation() {
    let bounds = [0] + starts + [logs.count]
    let residuals = zip(bounds, bounds.dropFirst()).filter { $0 < $1 }.map { start, end in
      logs.values[start..<end].map { $0 - logs.mean(start..<end) }
    }
    correlation = Self.correlation(of: residuals)
    guard correlation > 0 else { return }
    tests = starts.indices.map { test($0) }
    merge()
  }

  /// How alike neighbours are, from 0 to 0.9, in pieces of residuals.
  static func correlation(of pieces: [[Double]]) -> Double {
    var (product, square) = (0.0, 0.0)
    for residuals in pieces {
      product += zip(residuals, residuals.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
      square += residuals.reduce(0) { $0 + $1 * $1 }
    }
    return square > 0 ? min(max(product / square, 0), 0.9) : 0
  }

  /// Removes starts until each level is long enough and differs enough from its neighbours.
  mutating func merge() {
    while let position = weakest() {
      starts.remove(at: position)
      tests.remove(at: position)
      for neighbour in [position - 1, position] where starts.indices.contains(neighbour) {
        tests[neighbour] = test(neighbour)
      }
    }
  }

  private func weakest() -> Int? {
    // Windows may place one step a run or two apart; the better place of the two stays.
    let close = starts.indices.filter { position in
      let around = around(position)
      return starts[position] - around.lowerBound < ChangePoints.shortestLevel
        || around.upperBound - starts[position] < ChangePoints.shortestLevel
    }
    if let worst = close.max(by: { tests[$0].pValue < tests[$1].pValue }) { return worst }
    if let worst = starts.indices.max(by: { tests[$0].pValue < tests[$1].pValue }),
      tests[worst].pValue > ChangePoints.maximumP
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
