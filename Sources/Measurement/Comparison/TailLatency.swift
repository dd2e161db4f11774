/// The change of the tail quantiles from the base to the candidate.
///
/// The samples of all launches are pooled. Those of repeated work are averages, whose tails are shorter than
/// those of single runs. The intervals come from resampling launches (`ClusterBootstrap`), with both builds
/// of a launch together, so that the ratio keeps its pairing. Tails are reported and tracked, but too noisy
/// for a gate.
package struct TailLatency: Sendable, Hashable, Codable {
  package struct Change: Sendable, Hashable, Codable {
    package let ratio: Double
    /// Nil for fewer than two launches.
    package let interval: PairedRatio.Interval?
  }

  /// The ratio of the 95th percentiles; nil for fewer than 59 pairs.
  package let p95: Change?
  /// The ratio of the 99th percentiles; nil for fewer than 299 pairs.
  package let p99: Change?

  /// Computes the tails of some launches, with intervals of 95 %.
  ///
  /// - Throws: A `SampleError`: no pairs, or a pair without its partner or with a duration of zero.
  package init(
    of launches: [PairedLaunch], clock: PairedLaunch.Clock, seed: UInt64
  ) throws(SampleError) {
    // Throws for samples that are not pairs.
    _ = try LaunchRatios(of: launches, clock: clock)
    let measured = launches.filter { !$0.base.nanoseconds(clock).isEmpty }
    func pooled(_ arm: KeyPath<PairedLaunch, PairedLaunch.Arm>) -> ClusteredSamples {
      ClusteredSamples(
        measured.map { launch in
          let repeats = Double(max(launch.repeats, 1))
          return launch[keyPath: arm].nanoseconds(clock).map { Double($0) / repeats }
        })
    }
    let (base, candidate) = (pooled(\.base), pooled(\.candidate))
    /// Returns the ratio of a quantile, with each launch weighted by a draw; no launch is empty, so every
    /// draw has samples.
    func ratio(_ fraction: Double, _ draw: [Int]?) -> Double {
      (candidate.quantile(fraction, draw: draw) ?? 1) / (base.quantile(fraction, draw: draw) ?? 1)
    }
    func estimate(_ fraction: Double) throws(SampleError) -> Change? {
      guard let needed = SortedSamples.minimumCount(forQuantile: fraction),
        base.sizes.reduce(0, +) >= needed
      else { return nil }
      // The same seed, and so the same resamples, for each quantile.
      let ratios = ClusterBootstrap.resampled(measured.count, seed: seed) { ratio(fraction, $0) }
      return Change(
        ratio: ratio(fraction, nil),
        interval: try ClusterBootstrap.interval(of: ratios, confidence: 0.95))
    }
    p95 = try estimate(0.95)
    p99 = try estimate(0.99)
  }
}
