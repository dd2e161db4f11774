internal import RealModule

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
  /// - Parameters:
  ///   - series: What to fit to.
  ///   - segment: Which of its values.
  ///   - shortest: The fewest values of a climb, at least one; a climb of one is a step.
  /// - Complexity: O(n²): each pair of ends costs a few operations on prefix sums.
  init?(_ series: LevelSeries, segment: Range<Int>, shortest: Int) {
    let (start, end) = (segment.lowerBound, segment.upperBound)
    let count = Double(segment.count)
    let total = series.sum(segment)
    var best: (gain: Double, rise: Double, climb: ClosedRange<Int>)?
    for foot in start..<end {
      for top in stride(from: foot + shortest, to: end, by: 1) {
        // The regressor is 0 up to the foot, 1 from the top on, and linear in between.
        let length = Double(top - foot)
        let above = Double(end - top)
        let between = foot + 1..<top
        let slope = (series.moment(between) - Double(foot) * series.sum(between)) / length
        let product = slope + series.sum(top..<end)
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
    scatter = max(0, series.scatter(segment) - best.gain)
  }
}
