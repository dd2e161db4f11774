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
    var state = LaunchShape.normal(&random)
    return (0..<count).map { _ in
      state =
        correlation * state
        + (1 - correlation * correlation).squareRoot() * LaunchShape.normal(&random)
      let isOutlier = random.unit() < outliers
      let spike = isOutlier ? outlierFactor * LaunchShape.normal(&random) : state
      return Double.exp(deviation * spike)
    }
  }
}

/// A slowdown that is put into a history.
enum Plant: Sendable {
  /// Each run from the place on is slower by this fraction.
  case step(Double)
  /// From the place on, each run is slower than the one before, up to a total.
  case drift(perRun: Double, total: Double)

  static let all = [
    Plant.step(0.03), .step(0.05), .step(0.10), .drift(perRun: 0.001, total: 0.05),
  ]

  var name: String {
    switch self {
    case .step(let size): "step \(percent(size))"
    case .drift(let perRun, let total): "drift \(percent(perRun))/run to \(percent(total))"
    }
  }

  /// How many runs it takes from the first that is slower to the first that is as slow as all after.
  var length: Int {
    switch self {
    case .step: 1
    case .drift(let perRun, let total): Int((total / perRun).rounded())
    }
  }

  /// Returns the history with the slowdown at a place.
  func planted(in values: [Double], at place: Int) -> [Double] {
    values.enumerated().map { index, value in
      guard index >= place else { return value }
      switch self {
      case .step(let size): return value * (1 + size)
      case .drift(let perRun, let total):
        return value * (1 + min(total, perRun * Double(index - place + 1)))
      }
    }
  }
}

/// A fraction as text, in per cent.
func percent(_ fraction: Double) -> String {
  let tenths = (fraction * 1000).rounded() / 10
  return tenths == tenths.rounded() ? "\(Int(tenths)) %" : "\(tenths) %"
}
