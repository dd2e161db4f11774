#if canImport(Darwin)
  import Darwin
#else
  internal import Foundation
#endif

/// A scale for numbers along a line, with its ticks.
struct ChartAxis {
  struct Tick {
    var value: Double
    var label: String
  }

  let low: Double
  let high: Double
  let isLogarithmic: Bool

  /// Creates an axis over the finite numbers, with some length even if they are equal; a logarithmic axis
  /// ignores numbers that are not positive.
  init(over values: [Double], isLogarithmic: Bool = false) {
    let usable = values.filter { $0.isFinite && (!isLogarithmic || $0 > 0) }
    var low = usable.min() ?? (isLogarithmic ? 1 : 0)
    var high = usable.max() ?? 1
    if isLogarithmic {
      // A shorter axis is too short for two ticks.
      if high / low < 1.15 { (low, high) = (low / 1.08, high * 1.08) }
    } else if high - low <= 1e-9 * max(low.magnitude, high.magnitude) {
      let room = max(0.005, low.magnitude * 0.05)
      (low, high) = (low - room, high + room)
    }
    self.low = low
    self.high = high
    self.isLogarithmic = isLogarithmic
  }

  /// Returns the axis extended by a share of its length on both sides.
  func padded(_ share: Double) -> ChartAxis {
    guard isLogarithmic else {
      let room = (high - low) * share
      return ChartAxis(over: [low - room, high + room])
    }
    let room = pow(high / low, share)
    return ChartAxis(over: [low / room, high * room], isLogarithmic: true)
  }

  /// Returns a number's position along the axis, from zero to one; numbers outside are clamped.
  func share(of value: Double) -> Double {
    let share =
      isLogarithmic
      ? log(max(value, .leastNormalMagnitude) / low) / log(high / low)
      : (value - low) / (high - low)
    return share.isNaN ? 0 : min(max(share, 0), 1)
  }

  /// Returns at most `count` round numbers within the axis, labelled by `label`.
  func ticks(atMost count: Int, label: (Double) -> String) -> [Tick] {
    let values = isLogarithmic ? logarithmic(count) : linear(count)
    return values.map { Tick(value: $0, label: label($0)) }
  }

  private func linear(_ count: Int) -> [Double] {
    let rough = (high - low) / Double(max(1, count))
    let magnitude = pow(10, log10(rough).rounded(.down))
    guard magnitude > 0, magnitude.isFinite else { return [low] }
    for factor in [1.0, 2, 5, 10, 20] {
      let step = factor * magnitude
      let first = Int((low / step).rounded(.up)), last = Int((high / step).rounded(.down))
      // Dividing by the reciprocal of a small step gives 0.3 for 3 × 0.1.
      if first <= last, last - first < count {
        return (first...last).map { step < 1 ? Double($0) / (1 / step) : Double($0) * step }
      }
    }
    return [low]
  }

  private func logarithmic(_ count: Int) -> [Double] {
    // Over less than two octaves, round numbers are denser than powers.
    if high / low < 4 { return linear(count) }
    let exponents = Int(log10(low).rounded(.down))...Int(log10(high).rounded(.up))
    func within(_ factors: [Double], every step: Int = 1) -> [Double] {
      let values = exponents.filter { $0.isMultiple(of: step) }.flatMap { exponent in
        let power = pow(10, Double(exponent))
        return factors.map { $0 * power }
      }
      return values.filter { $0 >= low * 0.999_999 && $0 <= high * 1.000_001 }
    }
    let factors: [[Double]] = [
      [1, 1.5, 2, 3, 4, 5, 6, 8], [1, 2, 3, 5], [1, 2, 5], [1, 3], [1],
    ]
    let candidates =
      factors.map { within($0) } + (2...exponents.count + 2).map { within([1], every: $0) }
    let chosen = candidates.first { $0.count <= count }
    guard let chosen, !chosen.isEmpty else {
      return linear(count)
    }
    return chosen
  }
}
