internal import Measurement
internal import RealModule

/// Noise as it was measured on a small shared virtual machine, to develop on.
struct SyntheticNoise: Sendable {
  var name: String
  /// The standard deviation of the logarithm, outliers aside.
  var deviation: Double
  /// The chance of a launch that is an outlier, and how many times wider it scatters.
  ///
  /// 3 % of 7.5 times the width have a kurtosis of 37, that of recorded launches.
  var outliers = 0.03
  var outlierFactor = 7.5
  /// The correlation of neighbouring runs; outliers have none.
  var correlation = 0.0

  /// Ratios of pairs of builds, CPU time, quiet and noisy; then ratios to another workload.
  static let all = [
    SyntheticNoise(name: "paired 0.40 %", deviation: 0.0040),
    SyntheticNoise(name: "paired 0.55 %", deviation: 0.0055),
    SyntheticNoise(name: "paired 0.50 %, correlation 0.5", deviation: 0.0050, correlation: 0.5),
    SyntheticNoise(name: "control 1.5 %", deviation: 0.015, outliers: 0),
    SyntheticNoise(name: "control 1.5 %, outliers", deviation: 0.015, outlierFactor: 4),
    SyntheticNoise(name: "control 2.1 %", deviation: 0.021, outliers: 0),
    SyntheticNoise(
      name: "control 2.1 %, correlation 0.3", deviation: 0.021, outliers: 0, correlation: 0.3),
  ]

  /// Draws a history.
  func series(count: Int, using random: inout SeededRandom) -> [Double] {
    var state = normal(using: &random)
    return (0..<count).map { _ in
      state =
        correlation * state
        + (1 - correlation * correlation).squareRoot() * normal(using: &random)
      let isOutlier = random.unit() < outliers
      let spike = isOutlier ? outlierFactor * normal(using: &random) : state
      return Double.exp(deviation * spike)
    }
  }

  /// Draws from the standard normal distribution, by Box and Muller.
  private func normal(using random: inout SeededRandom) -> Double {
    let radius = (-2 * Double.log(1 - random.unit())).squareRoot()
    return radius * Double.cos(2 * .pi * random.unit())
  }
}
