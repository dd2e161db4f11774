import Foundation
import Measurement
import Testing

@Suite struct SummaryTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a summary repeats the statistics of the sorted samples`(seed: UInt64) throws {
    let samples = SortedSamplesTests.samples(seed: seed)
    let sorted = try SortedSamples(samples)
    let summary = try Summary(samples)
    #expect(summary == Summary(sorted))
    #expect(summary.count == samples.count)
    #expect(summary.minimum == samples.min())
    #expect(summary.maximum == samples.max())
    #expect(summary.mean == sorted.mean)
    #expect(summary.median == sorted.median)
    #expect(summary.medianAbsoluteDeviation == sorted.medianAbsoluteDeviation)
    #expect(summary.p90 == sorted.quantile(0.9))
    #expect(summary.p95 == sorted.quantile(0.95))
    #expect(summary.p99 == sorted.quantile(0.99))
  }

  @Test(arguments: [
    (28, false, false, false), (29, true, false, false), (58, true, false, false),
    (59, true, true, false), (298, true, true, false), (299, true, true, true),
  ])
  func `tails are only shown from enough samples`(
    count: Int, p90: Bool, p95: Bool, p99: Bool
  ) throws {
    let summary = try Summary(nanoseconds: (0..<UInt64(count)).map { 1000 + $0 })
    #expect((summary.p90 != nil) == p90)
    #expect((summary.p95 != nil) == p95)
    #expect((summary.p99 != nil) == p99)
  }

  @Test(arguments: [1, 100, 400])
  func `a summary survives JSON, with and without tails`(count: Int) throws {
    let summary = try Summary((0..<count).map { 0.1 * Double($0) })
    let decoded = try JSONDecoder().decode(Summary.self, from: JSONEncoder().encode(summary))
    #expect(decoded == summary)
  }

  @Test func `the robust deviation of a normal distribution is its deviation`() throws {
    // Sums of 12 uniform numbers less 6: nearly normal, with deviation exactly 1. Their upper
    // quartile is 0.6818 (Irwin and Hall's distribution) where the normal's is 0.6745, and 1.4826
    // of it is 1.0108. Of 20 000 samples its standard error is 1.17 / √20000 = 0.0083; five of it.
    var random = SeededRandom(seed: 15)
    let samples = (0..<20_000).map { _ in (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() } }
    #expect(abs(try Summary(samples).robustDeviation - 1.0108) < 0.042)
  }

  @Test func `no samples are refused`() {
    #expect(throws: SampleError.noSamples) { try Summary([]) }
    #expect(throws: SampleError.noSamples) { try Summary(nanoseconds: []) }
    #expect(throws: SampleError.notFinite(index: 0)) { try Summary([.nan]) }
  }
}
