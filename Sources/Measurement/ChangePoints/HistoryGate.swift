internal import RealModule

/// Judges the newest run of a history.
///
/// Two rules, for speed and for certainty. Two runs in a row outside of the prediction interval of
/// the current level raise the alarm at once. A change of level is seen from its third run on, and
/// says where it began. Since a prediction is only made from runs after the last change of level,
/// the two never speak of the same change. A level that climbs from its first run on shows neither;
/// that is `Trend`'s part.
package enum HistoryGate {
  /// Judges the newest run.
  ///
  /// - Parameters:
  ///   - values: Positive numbers of one case, oldest first; the last is the run to judge.
  ///   - settings: What is news.
  /// - Returns: In ascending order of their ranges; empty if nothing is new. A change is returned
  ///   anew for each run until it is `alertWithin` runs old: see `GateFinding.isSame(as:slack:)`.
  /// - Throws: `SeriesError`.
  package static func judge(
    _ values: [Double], settings: HistoryGateSettings = HistoryGateSettings()
  ) throws(SeriesError) -> [GateFinding] {
    try settings.changePoints.validate()
    try settings.prediction.validate()
    guard settings.alertWithin >= 0 else {
      throw .invalidSetting("alertWithin \(settings.alertWithin) is below 0")
    }
    for index in settings.acknowledged where !values.indices.contains(index) {
      throw .noSuchRun(index: index, count: values.count)
    }
    let start = settings.acknowledged.max() ?? 0
    let series: LevelSeries
    do {
      series = try LevelSeries(
        values[start...], minimumSegment: settings.changePoints.minimumSegment)
    } catch {
      guard case .notARatio(let index) = error else { throw error }
      throw .notARatio(index: start + index)
    }
    let changes = ChangePoints.find(in: series, settings: settings.changePoints)
    let oldest = series.count - 1 - settings.alertWithin
    var findings = changes.filter { $0.newest >= oldest }.map { GateFinding($0, from: start) }
    let level = changes.last?.newest ?? 0
    if let finding = beyondPrediction(series, level: level, from: start, settings: settings) {
      findings.append(finding)
    } else if let climb = Trend.climb(
      in: level..<series.count, of: series, settings: settings.changePoints)
    {
      findings.append(GateFinding(climb, from: start))
    }
    return findings
  }

  private static func beyondPrediction(
    _ series: LevelSeries, level: Int, from start: Int, settings: HistoryGateSettings
  ) -> GateFinding? {
    let known = series.count - 2
    guard known > level,
      let interval = PredictionInterval.predict(
        fromLogarithms: Array(series.values[level..<known]), offset: series.offset,
        settings: settings.prediction)
    else { return nil }
    // The newest two as they came: alone on a new level, they are taken for spikes.
    let newest = series.raw[known...].map { Double.exp(series.offset + $0) }
    let above = newest.allSatisfy { $0 > interval.upper }
    guard above || newest.allSatisfy({ $0 < interval.lower }) else { return nil }
    let ratio = (newest[0] * newest[1]).squareRoot() / interval.center
    let range = range(of: level..<series.count, in: series, above: above, settings: settings)
    return GateFinding(
      kind: .beyondPrediction(interval), direction: above ? .slower : .faster,
      range: start + range.lowerBound...start + range.upperBound, ratio: ratio)
  }

  /// The runs that may have begun what the newest two show: a step, or a climb if that fits better.
  private static func range(
    of level: Range<Int>, in series: LevelSeries, above: Bool, settings: HistoryGateSettings
  ) -> ClosedRange<Int> {
    let near = max(level.lowerBound, level.upperBound - Climbs.reach)..<level.upperBound
    let newest = series.count - 2
    let series = series.trusting(newest: 2)
    // That a climb is likelier is enough: this only says where to look.
    if let ramp = Climbs.ramp(
      in: near, of: series, shortestLevel: 2,
      shortestClimb: 2 * settings.changePoints.minimumSegment, evidence: 0),
      (ramp.rise > 0) == above, ramp.climb.upperBound >= newest
    {
      return ramp.climb
    }
    let step = StepLocation(series, segment: near, minimum: 2)?.range ?? newest...newest
    return min(step.lowerBound, newest)...max(step.upperBound, newest)
  }
}

extension ChangePoint {
  /// The run at which the new level is reached.
  fileprivate var newest: Int { kind == .drift ? range.upperBound : index }
}

extension GateFinding {
  /// Reports a change of level whose indexes count from a run of the whole history.
  fileprivate init(_ change: ChangePoint, from start: Int) {
    let moved = ChangePoint(
      kind: change.kind, index: start + change.index,
      range: start + change.range.lowerBound...start + change.range.upperBound,
      ratio: change.ratio, pValue: change.pValue)
    self.init(
      kind: change.kind == .drift ? .drift(moved) : .step(moved), direction: change.direction,
      range: moved.range, ratio: change.ratio)
  }
}
