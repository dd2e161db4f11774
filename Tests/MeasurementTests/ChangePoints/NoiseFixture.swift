import Measurement

/// Histories to judge: noise about one, in which levels are planted as factors.
enum NoiseFixture {
  /// Draws factors whose logarithm scatters about zero, nearly normally.
  ///
  /// The sum of twelve uniform numbers has the variance one and no tails to speak of; outliers, if
  /// wanted, are planted by name.
  static func factors(count: Int, deviation: Double, seed: UInt64) -> [Double] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in
      let normal = (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() }
      return 1 + deviation * normal
    }
  }

  /// Multiplies all values from an index on.
  static func stepped(_ values: [Double], at index: Int, by factor: Double) -> [Double] {
    values.enumerated().map { $0.offset >= index ? $0.element * factor : $0.element }
  }

  /// Multiplies by a factor that grows evenly from one, over some runs.
  static func drifting(
    _ values: [Double], from index: Int, over runs: Int, to factor: Double
  ) -> [Double] {
    values.enumerated().map { offset, value in
      let share = min(1, max(0, Double(offset - index + 1) / Double(runs)))
      return value * (1 + share * (factor - 1))
    }
  }
}
