internal import RealModule

/// Where the next run of a steady history is expected.
///
/// For normal logarithms of the values, the next one lies outside of
/// mean ± t(n - 1) · s · √(1 + 1/n) with twice the chance of the tail (Hahn and Meeker,
/// "Statistical Intervals", 4.7). One run outside is no news: one of a hundred is. Two in a row on
/// the same side are one of 20,000 if runs are independent.
package struct PredictionInterval: Sendable, Hashable, Codable {
  /// What a prediction is made from.
  package struct Settings: Sendable, Hashable, Codable {
    /// The fewest runs to predict from.
    package var minimumCount: Int
    /// The most runs to predict from; older ones are left out.
    package var window: Int
    /// The chance of a run above, and again of one below.
    package var tail: Double

    /// Puts settings together.
    ///
    /// - Parameters:
    ///   - minimumCount: At least 3; with ten, t is 3.25 rather than 2.58.
    ///   - window: At least `minimumCount`.
    ///   - tail: Above zero and below one half.
    package init(minimumCount: Int = 10, window: Int = 64, tail: Double = 0.005) {
      self.minimumCount = minimumCount
      self.window = window
      self.tail = tail
    }

    /// Refuses what nothing can be predicted with.
    func validate() throws(SeriesError) {
      guard minimumCount >= 3, window >= minimumCount else {
        throw .invalidSetting("prediction from \(minimumCount) to \(window) runs")
      }
      guard tail > 0, tail < 0.5 else {
        throw .invalidSetting("tail \(tail) is not above 0 and below 0.5")
      }
    }
  }

  /// How many runs it is made from.
  package let count: Int

  /// The geometric mean of them.
  package let center: Double

  /// The value below which a run is faster than expected.
  package let lower: Double

  /// The value above which a run is slower than expected.
  package let upper: Double

  /// Predicts from the newest runs of one level.
  ///
  /// - Parameters:
  ///   - values: Positive numbers, oldest first, all from after the last change of level.
  ///   - settings: From how many, and how sure.
  /// - Returns: Nil if there are too few.
  /// - Throws: `SeriesError` for a value that is not a ratio, or an invalid setting.
  package static func predict(
    from values: [Double], settings: Settings = Settings()
  ) throws(SeriesError) -> PredictionInterval? {
    try settings.validate()
    var logs: [Double] = []
    for (index, value) in values.enumerated() {
      // The bound of `LevelSeries`, which keeps what follows finite.
      guard value >= 0x1p-900, value <= 0x1p900 else { throw .notARatio(index: index) }
      logs.append(Double.log(value))
    }
    return predict(fromLogarithms: logs, settings: settings)
  }

  /// Predicts from logarithms; `offset` is what was taken off each.
  static func predict(
    fromLogarithms logs: [Double], offset: Double = 0, settings: Settings
  ) -> PredictionInterval? {
    let logs = logs.suffix(settings.window)
    guard logs.count >= settings.minimumCount else { return nil }
    let count = Double(logs.count)
    let mean = logs.reduce(0, +) / count
    let square = logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = (square / (count - 1)).squareRoot()
    let quantile = StudentT(degreesOfFreedom: count - 1).quantile(upperTail: settings.tail)
    let reach = quantile * deviation * (1 + 1 / count).squareRoot()
    return PredictionInterval(
      count: logs.count, center: Double.exp(offset + mean),
      lower: Double.exp(offset + mean - reach), upper: Double.exp(offset + mean + reach))
  }
}
