internal import RealModule

/// How two neighbouring runs of values differ: Student's t test, and the ratio of their medians.
struct LevelTest: Sendable, Hashable {
  /// The two-sided chance of this difference of means if there is none; 1 if nothing can be said.
  let pValue: Double

  /// The difference of the medians, which a few spikes do not move.
  let difference: Double

  /// Compares two runs of values, neither of them empty.
  ///
  /// - Parameters:
  ///   - series: What they are values of.
  ///   - before: The indexes of the older ones.
  ///   - after: The indexes of the newer ones.
  ///   - correlation: That of neighbouring values about their level, below one. The variance of a
  ///     mean is (1 + ρ) / (1 - ρ) times that of independent values where each is ρ times the one
  ///     before plus something new (Box, Jenkins and Reinsel, "Time Series Analysis", 2.1).
  init(
    _ series: LevelSeries, before: Range<Int>, after: Range<Int>, correlation: Double = 0
  ) {
    difference = series.median(after) - series.median(before)
    let (n, m) = (Double(before.count), Double(after.count))
    let freedom = n + m - 2
    guard freedom > 0 else {
      pValue = 1
      return
    }
    let distance = (series.mean(after) - series.mean(before)).magnitude
    let variance = (series.scatter(before) + series.scatter(after)) / freedom
    let inflation = (1 + correlation) / (1 - correlation)
    let error = (variance * (1 / n + 1 / m) * inflation).squareRoot()
    if error > 0 {
      pValue = 2 * StudentT(degreesOfFreedom: freedom).upperTail(distance / error)
    } else {
      pValue = distance > 0 ? 0 : 1
    }
  }
}
