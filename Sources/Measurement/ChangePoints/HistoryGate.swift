internal import RealModule

/// Judges the newest run of a history.
///
/// Two rules, for speed and for certainty. Two runs in a row outside of the prediction interval of
/// the current level raise the alarm at once. A change of level is seen from its third run on, and
/// says where it began. Since a prediction is only made from runs after the last change of level,
/// the two never speak of the same change. A level that climbs from its first run on shows neither,
/// and is tested for a straight line.
package enum HistoryGate {
  /// How many runs before the newest a change may have begun, or a drift ended, to be news.
  ///
  /// A change that takes more runs than this to become significant is never reported.
  static let newsRuns = 10

  /// The fewest runs about which anything is said: as many as a prediction needs.
  package static let fewestRuns = PredictionInterval.fewestRuns

  /// Judges the newest run.
  ///
  /// - Parameter values: Positive numbers of one case, oldest first; the last is the run to judge.
  ///   Runs before a change that was accepted are to be left out.
  /// - Returns: In ascending order; empty if nothing is new. A change is returned anew for each run
  ///   until it is ten runs old: see `ChangePoint.isSame(as:)`.
  /// - Throws: `NotARatio`.
  package static func judge(_ values: [Double]) throws(NotARatio) -> [ChangePoint] {
    let logs = try DespikedLogs(values)
    let changes = ChangePoints.find(in: logs)
    let level = changes.last?.newLevelStart ?? 0
    let news = changes.filter { $0.newLevelStart >= logs.count - 1 - newsRuns }
    let more =
      beyondPrediction(logs, level: level)
      ?? StepsAndClimbs.climb(from: level..<logs.count, of: logs)
    return news + [more].compactMap(\.self)
  }

  private static func beyondPrediction(_ logs: DespikedLogs, level: Int) -> ChangePoint? {
    let known = logs.count - 2
    guard known > level,
      let interval = PredictionInterval(logarithms: Array(logs.values[level..<known]))
    else { return nil }
    // The newest two as they came: alone on a new level, they are taken for spikes.
    let newest = logs.raw[known...]
    let isAbove = newest.allSatisfy { $0 > interval.upper }
    guard isAbove || newest.allSatisfy({ $0 < interval.lower }) else { return nil }
    let change = newest.reduce(0, +) / 2 - interval.center
    return ChangePoint(
      .beyondPrediction, index: known,
      plausible: plausible(of: level..<logs.count, in: logs, isAbove: isAbove),
      ratio: Double.exp(change))
  }

  /// The runs that may have begun what the newest two show: a step, or a climb if that fits better.
  private static func plausible(
    of level: Range<Int>, in logs: DespikedLogs, isAbove: Bool
  ) -> ClosedRange<Int> {
    let near = max(level.lowerBound, level.upperBound - StepsAndClimbs.reach)..<level.upperBound
    let newest = logs.count - 2
    let logs = logs.trusting(newest: 2)
    // That a climb is likelier is enough: this only says where to look.
    if let ramp = StepsAndClimbs.ramp(in: near, of: logs, shortestLevel: 2, evidence: 0),
      (ramp.rise > 0) == isAbove, ramp.climb.upperBound >= newest
    {
      return ramp.climb
    }
    let step = StepLocation(logs, segment: near, minimum: 2)?.plausible ?? newest...newest
    return min(step.lowerBound, newest)...max(step.upperBound, newest)
  }
}

extension ChangePoint {
  /// The run at which the new level is reached.
  fileprivate var newLevelStart: Int { kind == .drift ? plausible.upperBound : index }
}

/// Where the next run of a steady history is expected.
///
/// For normal logarithms of the values, the next one lies outside of
/// mean ± t(n - 1) · s · √(1 + 1/n) with twice the chance of the tail (Hahn and Meeker,
/// "Statistical Intervals", 4.7). One run outside is no news: one of a hundred is. Two in a row on
/// the same side are one of 20,000 if runs are independent.
struct PredictionInterval: Sendable, Hashable {
  /// With ten runs, t is 3.25 rather than 2.58.
  static let fewestRuns = 10

  /// The mean of the logarithms.
  let center: Double
  /// The logarithm below which a run is faster than expected.
  let lower: Double
  /// The logarithm above which a run is slower than expected.
  let upper: Double

  /// Predicts from the newest runs of one level; nil if they are fewer than ten.
  ///
  /// - Parameters:
  ///   - logs: Logarithms, oldest first, all from after the last change of level.
  ///   - window: The most runs to predict from; older ones are left out.
  ///   - tail: The chance of a run above, and again of one below; above zero and below one half.
  init?(logarithms logs: [Double], window: Int = 64, tail: Double = 0.005) {
    let logs = logs.suffix(window)
    guard logs.count >= Self.fewestRuns else { return nil }
    let count = Double(logs.count)
    let mean = logs.reduce(0, +) / count
    let square = logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = (square / (count - 1)).squareRoot()
    let quantile = StudentT(degreesOfFreedom: count - 1).quantile(upperTail: tail)
    let reach = quantile * deviation * (1 + 1 / count).squareRoot()
    (center, lower, upper) = (mean, mean - reach, mean + reach)
  }
}
