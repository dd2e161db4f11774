internal import RealModule

/// A climb that has no level to start from, because it began with the history or with its last step.
///
/// Change points need a level on either side, and a prediction from runs that climb foresees the
/// next ones. So the runs of the current level are tested for a straight line: least squares, a t
/// test of the slope, widened where neighbouring residuals are alike, as neighbouring runs often are.
enum Trend {
  /// The fewest runs of a line that is believed: as many as a prediction needs.
  static let fewestRuns = 10

  /// Finds the climb of a level.
  ///
  /// - Parameters:
  ///   - level: The runs from the last change on.
  ///   - series: The logarithms of the history.
  ///   - settings: What is significant, and what matters: the whole rise is held against it.
  /// - Returns: A drift over the whole level, or nil.
  static func climb(
    in level: Range<Int>, of series: LevelSeries, settings: ChangePointSettings
  ) -> ChangePoint? {
    let count = level.count
    guard count >= fewestRuns else { return nil }
    let values = series.values[level]
    let mean = values.reduce(0, +) / Double(count)
    let middle = Double(count - 1) / 2
    var (spread, product) = (0.0, 0.0)
    for (place, value) in values.enumerated() {
      let distance = Double(place) - middle
      spread += distance * distance
      product += distance * (value - mean)
    }
    let slope = product / spread
    let rise = slope * Double(count - 1)
    guard rise.magnitude >= Double.log(onePlus: settings.minimumMagnitude) else { return nil }
    let residuals = values.enumerated().map { place, value in
      value - mean - slope * (Double(place) - middle)
    }
    let scatter = residuals.reduce(0) { $0 + $1 * $1 }
    let neighbours = zip(residuals, residuals.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
    let likeness = scatter > 0 ? min(max(neighbours / scatter, 0), 0.9) : 0
    let freedom = Double(count - 2)
    let error = (scatter / freedom / spread * (1 + likeness) / (1 - likeness)).squareRoot()
    let chance =
      error > 0 ? 2 * StudentT(degreesOfFreedom: freedom).upperTail(slope.magnitude / error) : 0
    guard chance <= settings.maximumP else { return nil }
    return ChangePoint(
      kind: .drift, index: level.lowerBound + 1,
      range: level.lowerBound + 1...level.upperBound - 1, ratio: Double.exp(rise),
      pValue: chance)
  }
}
