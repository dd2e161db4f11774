internal import RealModule

/// Distinguishes climbs from steps among the changes of level.
///
/// Change points separate levels, so a slow climb becomes one step in the middle, or a stair of several
/// steps. If a ramp fits much better than one step, it replaces the steps; adjacent ramps in the same
/// direction are joined.
enum StepsAndClimbs {
  /// The fewest runs of a climb; in a shorter one, each level of a stair would be a spike.
  private static let shortestClimb = 2 * ChangePoints.shortestLevel

  /// The number of values considered on each side of a change, which limits the quadratic cost.
  static let reach = 500

  static func changes(between levels: Levels, of logs: DespikedLogs) -> [ChangePoint] {
    var found: [(change: ChangePoint, around: Range<Int>)] = []
    let places = located(levels, in: logs)
    for (position, test) in levels.tests.enumerated() {
      let around = near(levels.starts[position], in: levels.around(position))
      guard let climb = climb(in: around, of: logs, like: test, pValue: test.pValue) else {
        let place = places[position]
        let step = ChangePoint(
          .step, index: place.index, plausible: place.plausible,
          ratio: Double.exp(test.difference), pValue: test.pValue)
        found.append((step, around))
        continue
      }
      if let last = found.last, last.change.kind == .drift,
        last.change.direction == climb.direction,
        climb.index - last.change.plausible.upperBound <= shortestClimb,
        let whole = self.climb(
          in: last.around.lowerBound..<around.upperBound, of: logs, like: test,
          pValue: min(last.change.pValue, test.pValue))
      {
        found[found.count - 1] = (whole, last.around.lowerBound..<around.upperBound)
      } else {
        found.append((climb, around))
      }
    }
    return found.map(\.change)
  }

  /// Locates each change as a step, by least squares.
  ///
  /// This is the place of maximum likelihood for normal noise. If two places are too close together, all
  /// changes keep their original places.
  private static func located(
    _ levels: Levels, in logs: DespikedLogs
  ) -> [(index: Int, plausible: ClosedRange<Int>)] {
    let minimum = ChangePoints.shortestLevel
    let places = levels.starts.indices.map { position in
      let index = levels.starts[position]
      let around = near(index, in: levels.around(position))
      let found = StepLocation(logs, segment: around, minimum: minimum)
      return (index: found?.index ?? index, plausible: found?.plausible ?? index...index)
    }
    if zip(places, places.dropFirst()).allSatisfy({ $1.index - $0.index >= minimum }) {
      return places
    }
    return zip(levels.starts, places).map { start, place in
      (start, min(start, place.plausible.lowerBound)...max(start, place.plausible.upperBound))
    }
  }

  private static func near(_ index: Int, in around: Range<Int>) -> Range<Int> {
    max(around.lowerBound, index - reach)..<min(around.upperBound, index + reach)
  }

  private static func climb(
    in segment: Range<Int>, of logs: DespikedLogs, like test: LevelTest, pValue: Double
  ) -> ChangePoint? {
    guard let ramp = ramp(in: segment, of: logs), ramp.rise.sign == test.difference.sign,
      ramp.rise.magnitude >= ChangePoints.leastChange
    else { return nil }
    return ChangePoint(
      .drift, plausible: ramp.climb, ratio: Double.exp(ramp.rise), pValue: pValue)
  }

  /// Returns the ramp that fits a segment better than one step.
  ///
  /// - Returns: Nil if a step is good enough, or the segment is too short for either.
  private static func ramp(in segment: Range<Int>, of logs: DespikedLogs) -> Ramp? {
    guard
      let step = StepLocation(logs, segment: segment, minimum: ChangePoints.shortestLevel),
      let ramp = Ramp(logs, segment: segment, shortest: shortestClimb)
    else { return nil }
    // The ramp has one more parameter than the step: the other end of the climb.
    return isVeryStrong(step.scatter, ramp.scatter, count: segment.count, parameters: 1)
      ? ramp : nil
  }

  /// Whether a fit is enough better than another to justify its additional parameters.
  ///
  /// Kass and Raftery ("Bayes factors", JASA 1995) call a difference of ten in the information criterion very
  /// strong evidence.
  private static func isVeryStrong(
    _ scatter: Double, _ better: Double, count: Int, parameters: Double
  ) -> Bool {
    let count = Double(count)
    return better < scatter
      && count * Double.log(scatter / better) - parameters * Double.log(count) >= 10
  }

  /// Finds a climb that continues to the newest run.
  ///
  /// Change points need a level on both sides. So this fits a level, and a straight climb from its best
  /// foot, to the runs since the last change. The residuals show the correlation of neighbouring runs,
  /// which `CorrelatedFit` includes. The residuals of a curve are also correlated, but a curve climbs
  /// further than noise with that correlation.
  ///
  /// `level` is the runs since the last change; fewer than the gate needs are not judged. `errorRate` is
  /// the chance of a drift if there is none.
  static func climb(
    from level: Range<Int>, of logs: DespikedLogs, errorRate: Double
  ) -> ChangePoint? {
    guard level.count >= HistoryGate.fewestRuns,
      let open = Ramp(logs, segment: level, shortest: shortestClimb, isOpen: true)
    else { return nil }
    // Half of the rate is for a climb of the whole level, the other half for all other feet.
    let feet = [
      (level.lowerBound, tests: 2), (open.climb.lowerBound - 1, 2 * (level.count - shortestClimb)),
    ]
    let climbs = feet.map { foot, tests in
      let climb = openClimb(from: foot, over: level, of: logs)
      return (foot: foot, rise: climb.rise, pValue: min(1, climb.pValue * Double(tests)))
    }
    guard let best = climbs.min(by: { $0.pValue < $1.pValue }), best.pValue <= errorRate,
      best.rise.magnitude >= ChangePoints.leastChange
    else { return nil }
    // A climb that has ended has one more parameter: its top.
    if level.count <= 2 * reach,
      let ramp = Ramp(logs, segment: level, shortest: shortestClimb),
      isVeryStrong(open.scatter, ramp.scatter, count: level.count, parameters: 1)
    {
      return ChangePoint(
        .drift, plausible: ramp.climb, ratio: Double.exp(ramp.rise), pValue: best.pValue)
    }
    return ChangePoint(
      .drift, plausible: best.foot + 1...level.upperBound - 1, ratio: Double.exp(best.rise),
      pValue: best.pValue)
  }

  /// Fits a level up to a foot and a straight climb after it.
  private static func openClimb(
    from foot: Int, over level: Range<Int>, of logs: DespikedLogs
  ) -> (rise: Double, pValue: Double) {
    func climbed(_ index: Int) -> Double { Double(max(0, index - foot)) }
    func fit(_ correlation: Double) -> CorrelatedFit {
      CorrelatedFit(logs.values[level], correlation: correlation, regressor: climbed)
    }
    let plain = fit(0)
    let residuals = level.map { logs.values[$0] - plain.level - plain.slope * climbed($0) }
    let best = fit(Levels.greatestCorrelation(of: [residuals], parameters: 2))
    return (best.slope * climbed(level.upperBound - 1), best.pValue)
  }
}

/// The place of a step, and its uncertainty.
///
/// The plausible places are those whose fit of two levels is nearly as good as the best: at most 7.35 error
/// variances more in the sum of squares. For a change whose place is uncertain but not unknown, the excess
/// at the true place has the distribution function (1 - exp(-x/2))², which is 0.95 at 7.35 (Hansen, "Sample
/// splitting and threshold estimation", Econometrica 2000).
struct StepLocation: Sendable, Hashable {
  /// The index of the first value on the new level, by least squares.
  let index: Int

  /// The range from the first to the last place that fits nearly as well.
  let plausible: ClosedRange<Int>

  let scatter: Double

  /// Finds the place of one step; nil if the segment is shorter than twice the minimum.
  init?(_ logs: DespikedLogs, segment: Range<Int>, minimum: Int) {
    let (start, end) = (segment.lowerBound, segment.upperBound)
    let places = start + minimum..<max(start + minimum, end - minimum + 1)
    let fits = places.map { logs.scatter(start..<$0) + logs.scatter($0..<end) }
    guard let least = fits.min(), let best = fits.firstIndex(of: least) else { return nil }
    // Two levels and a place are fitted, so three values leave no degree of freedom.
    let variance = least / Double(max(1, segment.count - 3))
    let plausible = places.filter { fits[$0 - places.lowerBound] <= least + 7.35 * variance }
    index = places.lowerBound + best
    self.plausible = (plausible.first ?? index)...(plausible.last ?? index)
    scatter = least
  }
}

/// A level, a steady climb, and another level, fitted to values by least squares.
struct Ramp: Sendable, Hashable {
  /// The range from the first value off the old level to the first on the new one.
  let climb: ClosedRange<Int>

  /// The level after the climb minus the one before.
  let rise: Double

  let scatter: Double

  /// Fits a ramp to a segment; nil if it is too short for a climb of the fewest runs.
  ///
  /// An open climb continues beyond the segment: its top is after the last run. The time is O(n²) for n
  /// runs, or O(n) for an open climb: each pair of ends costs a few operations on prefix sums.
  init?(_ logs: DespikedLogs, segment: Range<Int>, shortest: Int, isOpen: Bool = false) {
    let (start, end) = (segment.lowerBound, segment.upperBound)
    let count = Double(segment.count)
    let total = logs.sum(segment)
    var best: (gain: Double, rise: Double, climb: ClosedRange<Int>)?
    for foot in start..<end {
      let (first, limit) = isOpen ? (max(end, foot + shortest), end + 1) : (foot + shortest, end)
      for top in stride(from: first, to: limit, by: 1) {
        // The regressor is 0 up to the foot, 1 from the top on, and linear between them.
        let length = Double(top - foot)
        let above = Double(end - top)
        let between = foot + 1..<top
        let slope = (logs.moment(between) - Double(foot) * logs.sum(between)) / length
        let product = slope + logs.sum(top..<end)
        let sum = (length - 1) / 2 + above
        let square = (length - 1) * (2 * length - 1) / (6 * length) + above
        let spread = square - sum * sum / count
        let covariance = product - sum * total / count
        let gain = covariance * covariance / spread
        if gain > best?.gain ?? 0 { best = (gain, covariance / spread, foot + 1...top) }
      }
    }
    guard let best else { return nil }
    climb = best.climb
    rise = best.rise
    scatter = max(0, logs.scatter(segment) - best.gain)
  }
}
