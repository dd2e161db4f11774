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
  /// Over 20 runs, slower by a total; the rise grows with the square of the runs.
  case curve(total: Double)
  /// Over 20 runs, slower by a total in stairs of four runs.
  case stairs(total: Double)

  static let all = [
    Plant.step(0.03), .step(0.05), .step(0.10), .drift(perRun: 0.001, total: 0.05),
    .drift(perRun: 0.01, total: 0.2), .curve(total: 0.2), .stairs(total: 0.1),
  ]

  var name: String {
    switch self {
    case .step(let size): "step \(percent(size))"
    case .drift(let perRun, let total): "drift \(percent(perRun))/run to \(percent(total))"
    case .curve(let total): "curve to \(percent(total))"
    case .stairs(let total): "stairs to \(percent(total))"
    }
  }

  /// The number of runs from the first slower one to the first one on the new level.
  var length: Int {
    switch self {
    case .step: 1
    case .drift(let perRun, let total): Int((total / perRun).rounded())
    case .curve, .stairs: 20
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
      case .curve(let total):
        let share = Double(min(20, index - place + 1)) / 20
        return value * (1 + total * share * share)
      case .stairs(let total):
        return value * (1 + total * Double(min(5, (index - place) / 4 + 1)) / 5)
      }
    }
  }
}

/// A fraction as text, in per cent.
func percent(_ fraction: Double) -> String {
  let tenths = (fraction * 1000).rounded() / 10
  return tenths == tenths.rounded() ? "\(Int(tenths)) %" : "\(tenths) %"
}

/// A count per hundred runs as text.
func per100(_ count: Int, _ runs: Int) -> String {
  "\((Double(count) / Double(max(1, runs)) * 10_000).rounded() / 100)"
}
