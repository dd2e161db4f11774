import Measurement
import Testing

@Suite struct PredictionIntervalTests {
  /// With logarithms of ±ln 2, five each: mean 0, s² = 10/9 ln² 2, t(9, .995) = 3.2498.
  @Test func `the interval is the textbook's`() throws {
    let values = (0..<10).map { $0 % 2 == 0 ? 2.0 : 0.5 }
    let interval = try #require(try PredictionInterval.predict(from: values))
    #expect(interval.count == 10)
    #expect(abs(interval.center - 1) <= 1e-15)
    // 2 to the power 3.24984 · √(10/9) · √1.1 = 3.59290.
    #expect(abs(interval.upper - 12.0659) <= 0.001)
    #expect(abs(interval.lower * interval.upper - 1) <= 1e-14)
  }

  @Test func `nine values foretell nothing`() throws {
    #expect(try PredictionInterval.predict(from: [Double](repeating: 1, count: 9)) == nil)
    let constant = try #require(
      try PredictionInterval.predict(from: [Double](repeating: 1, count: 10)))
    #expect(constant.lower == 1 && constant.upper == 1)
  }

  @Test func `only the newest values of the window count`() throws {
    let newest = NoiseFixture.factors(count: 64, deviation: 0.01, seed: 3)
    let long = [Double](repeating: 900, count: 50) + newest
    let interval = try #require(try PredictionInterval.predict(from: long))
    #expect(interval.count == 64)
    #expect(try interval == PredictionInterval.predict(from: newest))
  }

  @Test func `as many normal values lie beyond as were allowed`() throws {
    let values = NoiseFixture.factors(count: 7000, deviation: 0.01, seed: 11)
    let settings = PredictionInterval.Settings(window: 20, tail: 0.05)
    var beyond = 0
    for end in stride(from: 20, to: 7000, by: 4) {
      let history = Array(values[end - 20..<end])
      let interval = try #require(
        try PredictionInterval.predict(from: history, settings: settings))
      if values[end] > interval.upper || values[end] < interval.lower { beyond += 1 }
    }
    // 1,745 draws of chance 0.1 have a standard deviation of 12.5; five of these, for the sum of
    // twelve is not quite normal and neighbouring windows overlap. One in six
    // beyond, and not one in ten, would be told nearly always.
    #expect(abs(Double(beyond) - 174.5) <= 63)
  }

  @Test func `values and settings that mean nothing are refused`() {
    #expect(throws: SeriesError.notARatio(index: 1)) {
      try PredictionInterval.predict(from: [1, 0])
    }
    for settings in [
      PredictionInterval.Settings(minimumCount: 2), PredictionInterval.Settings(window: 9),
      PredictionInterval.Settings(tail: 0), PredictionInterval.Settings(tail: .nan),
    ] {
      #expect(throws: SeriesError.self) {
        try PredictionInterval.predict(from: [1], settings: settings)
      }
    }
  }
}
