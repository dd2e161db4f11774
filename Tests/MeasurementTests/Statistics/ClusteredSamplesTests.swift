import Measurement
import Testing

@Suite struct ClusteredSamplesTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `a draw's quantile is that of the samples repeated by their weights`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed, label: "draws")
    let clusters = (0..<(1 + random.index(below: 6))).map { _ in
      (0..<(1 + random.index(below: 9))).map { _ in (random.unit() * 20).rounded() }
    }
    let draw = clusters.map { _ in random.index(below: 4) }
    let samples = ClusteredSamples(clusters)
    for (draw, counts) in [(nil, clusters.map { _ in 1 }), (draw, draw)] {
      let written = zip(clusters, counts).flatMap { cluster, count in
        [[Double]](repeating: cluster, count: count).flatMap(\.self)
      }
      if written.isEmpty {
        #expect(samples.quantile(0.5, draw: draw) == nil)
      } else {
        #expect(samples.quantile(0.5, draw: draw) == (try SortedSamples(written).median))
        #expect(samples.quantile(0, draw: draw) == written.min())
        #expect(samples.quantile(1, draw: draw) == written.max())
      }
    }
  }

  @Test(arguments: [2, 4, 30])
  func `a draw has one cluster fewer, and all are equally likely`(clusters: Int) throws {
    let draws = try #require(ClusterBootstrap.resampled(clusters, seed: 8) { $0 })
    #expect(draws.count == ClusterBootstrap.draws)
    #expect(draws.allSatisfy { $0.reduce(0, +) == clusters - 1 })
    let total = draws.reduce([Int](repeating: 0, count: clusters)) { zip($0, $1).map(+) }
    let expected = Double(draws.count * (clusters - 1)) / Double(clusters)
    // Five deviations of a count of rare draws.
    #expect(total.allSatisfy { abs(Double($0) - expected) < 5 * expected.squareRoot() })
  }

  @Test func `one cluster cannot be drawn from`() {
    for clusters in 0...1 {
      #expect(ClusterBootstrap.resampled(clusters, seed: 1) { $0 } == nil)
    }
  }

  @Test func `an interval excludes equally many draws on both sides`() throws {
    let numbers = (1...2000).map { Double($0) }
    let interval = try ClusterBootstrap.interval(of: numbers.reversed(), confidence: 0.95)
    #expect(interval?.lower == 51 && interval?.upper == 1950)
    #expect(throws: SampleError.noSamples) {
      try ClusterBootstrap.interval(of: [], confidence: 0.9)
    }
    #expect(throws: SampleError.invalidConfidence(1)) {
      try ClusterBootstrap.interval(of: [1], confidence: 1)
    }
  }
}
