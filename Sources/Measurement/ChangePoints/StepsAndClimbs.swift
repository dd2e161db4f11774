internal import RealModule

/// Tells climbs from steps among the changes of level.
///
/// Change points know only levels. A slow climb comes out of them as one step in the middle, or as a
/// stair of several. A ramp that explains the same values much better than one step does is
/// what there was; ramps that meet in the same direction are one.
enum StepsAndClimbs {
  /// The fewest runs of a climb: below that, each level of a stair is a spike.
  private static let shortestClimb = 2 * ChangePoints.shortestLevel

  /// How many values on each side of a change are looked at, so that n² stays small.
  static let reach = 500

  /// Returns the changes of level, with each climb as one.
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

  /// Where each change is as a step, by least squares.
  ///
  /// That is where the likelihood of normal noise is greatest: nearer to the truth than the place
  /// of the greatest energy. Should two places come too close, all stay where the energy saw them.
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

  /// Returns the ramp that explains a segment better than one step does.
  ///
  /// - Returns: Nil if a step is good enough, or the segment too short for either.
  private static func ramp(in segment: Range<Int>, of logs: DespikedLogs) -> Ramp? {
    guard
      let step = StepLocation(logs, segment: segment, minimum: ChangePoints.shortestLevel),
      let ramp = Ramp(logs, segment: segment, shortest: shortestClimb)
    else { return nil }
    // The ramp has one more parameter than the step: the other end of the climb.
    return isVeryStrong(step.scatter, ramp.scatter, count: segment.count, parameters: 1)
      ? ramp : nil
  }

  /// Whether a fit is so much better than another that its greater number of parameters is worth it:
  /// ten of the information criterion is what Kass and Raftery ("Bayes factors", JASA 1995) call
  /// very strong evidence.
  private static func isVeryStrong(
    _ scatter: Double, _ better: Double, count: Int, parameters: Double
  ) -> Bool {
    let count = Double(count)
    return better < scatter
      && count * Double.log(scatter / better) - parameters * Double.log(count) >= 10
  }

  /// Finds a climb that has no level to start from, because it began with the history or with its
  /// last step.
  ///
  /// Change points need a level on either side. So the runs of the current level are tested for a
  /// straight line: least squares, a t test of the slope, widened where neighbouring residuals are
  /// alike, as neighbouring runs often are.
  ///
  /// - Parameters:
  ///   - level: The runs from the last change on; fewer than the gate needs are not believed.
  ///   - logs: The history.
  ///   - errorRate: The chance of a drift where there is none.
  /// - Returns: A drift over the whole level, or nil.
  static func climb(
    from level: Range<Int>, of logs: DespikedLogs, errorRate: Double
  ) -> ChangePoint? {
    let count = level.count
    guard count >= HistoryGate.fewestRuns else { return nil }
    let values = logs.values[level]
    let mean = logs.mean(level)
    let middle = Double(count - 1) / 2
    var (spread, product) = (0.0, 0.0)
    for (place, value) in values.enumerated() {
      let distance = Double(place) - middle
      spread += distance * distance
      product += distance * (value - mean)
    }
    let slope = product / spread
    let rise = slope * Double(count - 1)
    guard rise.magnitude >= ChangePoints.leastChange else { return nil }
    let residuals = values.enumerated().map { place, value in
      value - mean - slope * (Double(place) - middle)
    }
    let scatter = residuals.reduce(0) { $0 + $1 * $1 }
    let alike = Alikeness(Levels.greatestCorrelation(of: [residuals], parameters: 2))
    let freedom = alike.degreesOfFreedom(of: Double(count), fitted: 2)
    let rest = Double(count) - 2 * alike.inflation
    guard freedom > 0, rest > 0 else { return nil }
    let error = (scatter / rest / spread * alike.inflation).squareRoot()
    let chance =
      error > 0 ? 2 * StudentT(degreesOfFreedom: freedom).upperTail(slope.magnitude / error) : 0
    guard chance <= errorRate else { return nil }
    // A climb that began or ended within the level is where a ramp fits better, which has two more
    // parameters than the line.
    if count <= 2 * reach, let ramp = Ramp(logs, segment: level, shortest: shortestClimb),
      isVeryStrong(scatter, ramp.scatter, count: count, parameters: 2)
    {
      return ChangePoint(
        .drift, plausible: ramp.climb, ratio: Double.exp(ramp.rise), pValue: chance)
    }
    return ChangePoint(
      .drift, plausible: level.lowerBound + 1...level.upperBound - 1, ratio: Double.exp(rise),
      pValue: chance)
  }
}

/// Where in a run of values one level gives way to another, and how surely.
///
/// A set of all places whose fit of two levels is nearly as good as the best: in units of the
/// error variance, at most 7.35 more in the sum of squares. For the place of a change that is small against
/// the sample but not nil, the excess of the true place has the distribution function
/// (1 - exp(-x/2))²; 7.35 is where it is 0.95 (Hansen, "Sample splitting and threshold
/// estimation", Econometrica 2000).
struct StepLocation: Sendable, Hashable {
  /// The index of the first value on the new level, by least squares.
  let index: Int

  /// The first to the last place that fits nearly as well.
  let plausible: ClosedRange<Int>

  /// The sum of squares around the two levels.
  let scatter: Double

  /// Finds the place of one step; nil if the segment is shorter than twice the minimum.
  init?(_ logs: DespikedLogs, segment: Range<Int>, minimum: Int) {
    let (start, end) = (segment.lowerBound, segment.upperBound)
    let places = start + minimum..<max(start + minimum, end - minimum + 1)
    let fits = places.map { logs.scatter(start..<$0) + logs.scatter($0..<end) }
    guard let least = fits.min(), let best = fits.firstIndex(of: least) else { return nil }
    // Two levels and a place have been fitted. Three values have nothing left to judge by.
    let variance = least / Double(max(1, segment.count - 3))
    let plausible = places.filter { fits[$0 - places.lowerBound] <= least + 7.35 * variance }
    index = places.lowerBound + best
    self.plausible = (plausible.first ?? index)...(plausible.last ?? index)
    scatter = least
  }
}

/// A level, a steady climb, and another level, fitted to a run of values by least squares.
struct Ramp: Sendable, Hashable {
  /// The first value off the old level to the first on the new one.
  let climb: ClosedRange<Int>

  /// How far the climb leads.
  let rise: Double

  /// The sum of squares around the fit.
  let scatter: Double

  /// Fits a ramp to a segment; nil if that is too short for such a climb.
  ///
  /// - Complexity: O(n²): each pair of ends costs a few operations on prefix sums.
  init?(_ logs: DespikedLogs, segment: Range<Int>, shortest: Int) {
    let (start, end) = (segment.lowerBound, segment.upperBound)
    let count = Double(segment.count)
    let total = logs.sum(segment)
    var best: (gain: Double, rise: Double, climb: ClosedRange<Int>)?
    for foot in start..<end {
      for top in stride(from: foot + shortest, to: end, by: 1) {
        // The regressor is 0 up to the foot, 1 from the top on, and linear in between.
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
