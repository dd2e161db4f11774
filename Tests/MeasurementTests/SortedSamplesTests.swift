import Measurement
import Testing

@Suite struct SortedSamplesTests {
  /// Returns a set of 1 to 400 samples with ties and a long tail.
  static func samples(seed: UInt64) -> [Double] {
    var random = SeededRandom(seed: seed, label: "samples")
    return (0..<(1 + random.index(below: 400))).map { _ in
      let number = (random.unit() * 50).rounded()
      return random.index(below: 20) == 0 ? number * 1000 : number
    }
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
    // Samples are integers below 2^16, and 4 and 8 are powers of two, so only the arithmetic of the mean
    // and the quantiles rounds, by a few units of 2^-52 of numbers below 2^19.
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
  func `every statistic of equal samples is that sample, without rounding`(count: Int) throws {
    let samples = try SortedSamples([Double](repeating: 0.1, count: count))
    #expect(samples.mean == 0.1)
    #expect(samples.median == 0.1)
    #expect(samples.medianAbsoluteDeviation == 0)
    #expect(samples.quantile(0.9) == (count >= 29 ? 0.1 : nil))
  }

  @Test func `quantiles are those of R's type 7`() throws {
    // quantile(c(1:58, 100), c(.05, .1, .25, .5, .9, .95), type = 7): ranks 1 + 58 p.
    let samples = try SortedSamples((1...58).map(Double.init) + [100])
    // The products 58 p are rounded, so the interpolated values differ by some units of 2^-48.
    for (fraction, expected) in [
      (0.05, 3.9), (0.1, 6.8), (0.25, 15.5), (0.5, 30), (0.9, 53.2), (0.95, 56.1),
    ] {
      #expect(abs(try #require(samples.quantile(fraction)) - expected) < 1e-12, "\(fraction)")
    }
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

  @Test(arguments: [(0.9, 29), (0.95, 59), (0.99, 299)])
  func `a tail needs so many samples that one is beyond it`(fraction: Double, count: Int) throws {
    let samples = (0..<UInt64(count)).map { 1000 + $0 }
    #expect(try SortedSamples(nanoseconds: samples).quantile(fraction) != nil)
    #expect(try SortedSamples(nanoseconds: Array(samples.dropLast())).quantile(fraction) == nil)
  }

  @Test func `the robust deviation of a normal distribution is its deviation`() throws {
    // Sums of 12 uniform numbers minus 6 are nearly normal, with deviation exactly 1. Their upper quartile
    // is 0.6818 (Irwin and Hall's distribution), the normal's is 0.6745, so the expected value is 1.0108.
    // Of 20 000 samples its standard error is 1.17 / √20000 = 0.0083; five of these.
    var random = SeededRandom(seed: 15)
    let samples = (0..<20_000).map { _ in (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() } }
    #expect(abs(try SortedSamples(samples).robustDeviation - 1.0108) < 0.042)
  }
}
