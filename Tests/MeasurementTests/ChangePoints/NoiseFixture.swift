import Measurement

/// Constructs histories: noise about one, with changes planted as factors.
enum NoiseFixture {
  /// Draws factors whose logarithms have mean zero and a nearly normal distribution.
  ///
  /// The sum of twelve uniform numbers has the variance one and short tails; tests that need outliers plant
  /// them.
  static func factors(count: Int, deviation: Double, seed: UInt64) -> [Double] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in
      let normal = (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() }
      return 1 + deviation * normal
    }
  }

  /// Draws autocorrelated factors: each deviation is the previous one times a correlation, plus noise.
  static func correlated(
    count: Int, deviation: Double, correlation: Double, seed: UInt64
  ) -> [Double] {
    let fresh = factors(count: count + 40, deviation: deviation, seed: seed).map { $0 - 1 }
    var state = 0.0
    // The first forty are dropped, because the state begins at zero.
    return fresh.map { new in
      state = correlation * state + (1 - correlation * correlation).squareRoot() * new
      return 1 + state
    }.suffix(count)
  }

  static func stepped(_ values: [Double], at index: Int, by factor: Double) -> [Double] {
    values.enumerated().map { $0.offset >= index ? $0.element * factor : $0.element }
  }

  /// Multiplies by a factor that grows linearly from one, over some runs.
  static func drifting(
    _ values: [Double], from index: Int, over runs: Int, to factor: Double
  ) -> [Double] {
    values.enumerated().map { offset, value in
      let share = min(1, max(0, Double(offset - index + 1) / Double(runs)))
      return value * (1 + share * (factor - 1))
    }
  }
}
