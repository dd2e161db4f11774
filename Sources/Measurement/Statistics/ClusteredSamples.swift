/// Samples grouped in clusters, such as launches, with quantiles over resampled clusters.
///
/// Samples of one launch are correlated, so a bootstrap must resample launches, not samples (Davison
/// and Hinkley, "Bootstrap Methods and their Application", 3.8). All samples are sorted once; a
/// resample only has the weight of each cluster, and its quantile takes one pass.
package struct ClusteredSamples: Sendable, Hashable {
  package let sizes: [Int]

  private let values: [Double]
  private let clusters: [Int]

  /// Pools clusters of finite samples; empty clusters keep their index and do not count.
  package init(_ samples: [[Double]]) {
    let pooled = samples.enumerated().flatMap { cluster, samples in
      samples.map { (value: $0, cluster: cluster) }
    }.sorted { $0.value < $1.value }
    sizes = samples.map(\.count)
    values = pooled.map(\.value)
    clusters = pooled.map(\.cluster)
  }

  /// Returns a quantile of the samples with each cluster weighted by a draw; nil if all weights are zero.
  ///
  /// It follows definition 7 of Hyndman and Fan, as in `SortedSamples`.
  package func quantile(_ fraction: Double, draw: [Int]? = nil) -> Double? {
    let total =
      draw.map { zip($0, sizes).reduce(0) { $0 + $1.0 * $1.1 } } ?? values.count
    guard total > 0 else { return nil }
    let position = Double(total - 1) * fraction
    let rank = Int(position)
    var counted = 0
    var lower: Double?
    for (value, cluster) in zip(values, clusters) {
      counted += draw?[cluster] ?? 1
      if counted > rank, lower == nil { lower = value }
      if counted > min(rank + 1, total - 1), let lower {
        return lower + (position - Double(rank)) * (value - lower)
      }
    }
    return lower
  }
}

/// Resamples clusters with replacement, from a seed.
package enum ClusterBootstrap {
  /// The number of draws for an interval; each of its ends at 95 % then depends on fifty draws.
  package static let draws = 2000

  /// Returns a statistic of resampled clusters, once per draw.
  ///
  /// A draw takes one cluster fewer than there are. With as many draws as clusters, the bootstrap's
  /// variance is (n - 1)/n of the true one, a large error for four launches; with one fewer, the variance of
  /// a mean is unbiased (McCarthy and Snowden, "The bootstrap and finite population sampling", 1985).
  ///
  /// `statistic` is called with the counts of a draw: how often each cluster was drawn. Fewer than two
  /// clusters, which show no variation, give nil.
  package static func resampled<Value>(
    _ clusters: Int, seed: UInt64, _ statistic: ([Int]) -> Value
  ) -> [Value]? {
    guard clusters > 1 else { return nil }
    var random = SeededRandom(seed: seed, label: "cluster bootstrap")
    return (0..<draws).map { _ in
      var counts = [Int](repeating: 0, count: clusters)
      for _ in 1..<clusters { counts[random.index(below: clusters)] += 1 }
      return statistic(counts)
    }
  }

  /// Returns the interval that excludes the same share of the draws on both sides.
  ///
  /// - Returns: The ends are two of the numbers; nil without draws.
  /// - Throws: `SampleError.noSamples`, `.notFinite`, or `.invalidConfidence`.
  package static func interval(
    of drawn: [Double]?, confidence: Double
  ) throws(SampleError) -> PairedRatio.Interval? {
    guard confidence > 0, confidence < 1 else { throw .invalidConfidence(confidence) }
    guard let drawn else { return nil }
    let sorted = try SortedSamples(drawn).values
    let leftOut = Int(Double(sorted.count) * (1 - confidence) / 2)
    return PairedRatio.Interval(
      lower: sorted[leftOut], upper: sorted[sorted.count - 1 - leftOut], coverage: confidence)
  }
}
