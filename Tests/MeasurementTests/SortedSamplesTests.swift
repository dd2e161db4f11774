import Measurement
import Testing

@Suite struct SortedSamplesTests {
  /// Sets of 1 to 400 samples with ties and a long tail, and the seeds they came from.
  static func samples(seed: UInt64) -> [Double] {
    var random = SeededRandom(seed: seed, label: "samples")
    return (0..<(1 + random.index(below: 400))).map { _ in
      let number = (random.unit() * 50).rounded()
      return random.index(below: 20) == 0 ? number * 1000 : number
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `the order of the samples does not matter`(seed: UInt64) throws {
    let samples = Self.samples(seed: seed)
    var random = SeededRandom(seed: seed)
    let shuffled = random.permutation(of: samples.count).map { samples[$0] }
    #expect(try SortedSamples(shuffled) == SortedSamples(samples))
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `quantiles rise with the fraction and stay within the samples`(seed: UInt64) throws {
    let samples = try SortedSamples(Self.samples(seed: seed))
    let fractions = (0...1000).map { Double($0) / 1000 }
    let quantiles = fractions.compactMap(samples.quantile)
    for (lower, upper) in zip(quantiles, quantiles.dropFirst()) { #expect(lower <= upper) }
    for statistic in quantiles + [samples.mean, samples.median] {
      #expect(samples.minimum <= statistic && statistic <= samples.maximum)
    }
    #expect(samples.quantile(0.5) ?? samples.median == samples.median)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `shifting and stretching the samples does the same to the statistics`(seed: UInt64) throws {
    let samples = Self.samples(seed: seed)
    let plain = try SortedSamples(samples)
    // Samples are integers below 2^16, and 4 and 8 are powers of two: only the mean's and the
    // quantiles' own arithmetic rounds, by a few units of 2^-52 of numbers below 2^19.
    let moved = try SortedSamples(samples.map { 4 * $0 + 8 })
    let tolerance = 0x1p-30
    #expect(abs(moved.mean - (4 * plain.mean + 8)) <= tolerance)
    #expect(abs(moved.median - (4 * plain.median + 8)) <= tolerance)
    #expect(
      abs(moved.medianAbsoluteDeviation - 4 * plain.medianAbsoluteDeviation) <= tolerance)
    if let quantile = plain.quantile(0.9) {
      #expect(abs(try #require(moved.quantile(0.9)) - (4 * quantile + 8)) <= tolerance)
    }
  }

  @Test(arguments: [1, 2, 3, 7, 1000])
  func `of equal samples every statistic is that sample, without rounding`(count: Int) throws {
    let samples = try SortedSamples([Double](repeating: 0.1, count: count))
    #expect(samples.mean == 0.1)
    #expect(samples.median == 0.1)
    #expect(samples.medianAbsoluteDeviation == 0)
    #expect(samples.quantile(0.9) == (count >= 29 ? 0.1 : nil))
  }

  @Test func `quantiles are those of R's type 7`() throws {
    // quantile(c(1:58, 100), c(.05, .1, .25, .5, .9, .95), type = 7): ranks 1 + 58 p.
    let samples = try SortedSamples((1...58).map(Double.init) + [100])
    // The products 58 p round, so the interpolated values do, by some units of 2^-48.
    for (fraction, expected) in [
      (0.05, 3.9), (0.1, 6.8), (0.25, 15.5), (0.5, 30), (0.9, 53.2), (0.95, 56.1),
    ] {
      #expect(abs(try #require(samples.quantile(fraction)) - expected) < 1e-12, "\(fraction)")
    }
  }

  @Test func `the median of an even number is the mean of the middle two`() throws {
    #expect(try SortedSamples([8, 1, 3, 2]).median == 2.5)
  }

  @Test func `the spread is not moved by outliers`() throws {
    // Deviations from the median 3 are 2, 1, 0, 1 and a million less 3; the middle one is 1.
    #expect(try SortedSamples([1, 2, 3, 4, 1_000_000]).medianAbsoluteDeviation == 1)
  }

  @Test func `the published least numbers of samples are p90 29, p95 59, p99 299`() {
    let expected = [0.9: 29, 0.95: 59, 0.99: 299, 0.999: 2995, 0.5: 5, 0.1: 29, 0.05: 59]
    for (fraction, count) in expected {
      #expect(SortedSamples.minimumCount(forQuantile: fraction) == count, "\(fraction)")
    }
  }

  @Test(arguments: [0.5, 0.75, 0.9, 0.95, 0.99, 0.999])
  func `the least number is the first that misses the tail in at most 5 % of cases`(
    fraction: Double
  ) throws {
    let count = try #require(SortedSamples.minimumCount(forQuantile: fraction))
    func chanceOfMissing(_ count: Int) -> Double {
      (0..<count).reduce(1) { chance, _ in chance * fraction }
    }
    #expect(chanceOfMissing(count) <= 0.05)
    #expect(chanceOfMissing(count - 1) > 0.05)
  }

  @Test(arguments: [(0.9, 29), (0.95, 59), (0.99, 299), (0.05, 59)])
  func `a quantile of too few samples is refused`(fraction: Double, needed: Int) throws {
    let samples = (0..<needed).map(Double.init)
    #expect(try SortedSamples(samples).quantile(fraction) != nil)
    #expect(try SortedSamples(samples.dropLast()).quantile(fraction) == nil)
  }

  @Test func `nanoseconds stay nanoseconds`() throws {
    let samples = try SortedSamples(nanoseconds: [3_000_000, 1_000_000, 2_000_000])
    #expect(samples.values == [1e6, 2e6, 3e6])
    #expect(samples.median == 2e6)
  }

  @Test func `the ends are never quantiles`() throws {
    let samples = try SortedSamples((0..<10_000).map(Double.init))
    #expect(samples.quantile(0) == nil)
    #expect(samples.quantile(1) == nil)
  }

  @Test func `no samples and unusable samples are refused by index`() {
    #expect(throws: SampleError.noSamples) { try SortedSamples([]) }
    #expect(throws: SampleError.noSamples) { try SortedSamples(nanoseconds: []) }
    for bad in [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude] {
      #expect(throws: SampleError.notFinite(index: 2)) { try SortedSamples([1, 2, bad, 3, bad]) }
    }
  }

  @Test func `the largest samples admitted give finite statistics`() throws {
    let samples = try SortedSamples([-0x1p900, 0x1p900, 0x1p900, -0x1p900, 0])
    #expect(samples.mean == 0)
    #expect(samples.median == 0)
    #expect(samples.medianAbsoluteDeviation == 0x1p900)
    let unlike = try SortedSamples([-0x1p900, 0x1p900, 0x1p900])
    #expect(unlike.mean.isFinite && unlike.median == 0x1p900)
    #expect(unlike.medianAbsoluteDeviation == 0)
  }

  @Test func `a fraction outside of zero to one is refused`() async {
    await #expect(processExitsWith: .failure) {
      _ = SortedSamples.minimumCount(forQuantile: 1.01)
    }
    await #expect(processExitsWith: .failure) {
      _ = SortedSamples.minimumCount(forQuantile: .nan)
    }
  }
}
