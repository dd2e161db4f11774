internal import RealModule

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
