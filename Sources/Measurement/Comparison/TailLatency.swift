/// The tail quantiles of both builds, with intervals that include the variation of launches.
///
/// The samples of all launches are pooled. The intervals come from resampling launches
/// (`ClusterBootstrap`), with both builds of a launch together, so that the ratio keeps its pairing. Tails
/// are reported and tracked, but too noisy for a gate.
package struct TailLatency: Sendable, Hashable, Codable {
  /// A number with its confidence interval.
  package struct Estimate: Sendable, Hashable, Codable {
    package let value: Double
    /// Nil for fewer than two launches.
    package let lower: Double?
    package let upper: Double?
  }

  package struct Quantile: Sendable, Hashable, Codable {
    package let fraction: Double
    /// In nanoseconds, for one run of the work.
    package let base: Estimate
    package let candidate: Estimate
    /// The candidate's quantile divided by the base's.
    package let ratio: Estimate
  }

  /// The 95th percentile; nil for fewer than 59 pairs.
  package let p95: Quantile?
  /// The 99th percentile; nil for fewer than 299 pairs.
  package let p99: Quantile?

  /// The most repeats of the work in one sample.
  ///
  /// Above one, samples are averages, whose tails are shorter than those of single runs.
  package let repeats: Int

  /// Computes the tails of some launches.
  ///
  /// - Throws: A `SampleError`: no pairs, a pair without its partner or with a duration of zero, or
  ///   `.invalidConfidence`.
  package init(
    of launches: [PairedLaunch], clock: PairedLaunch.Clock, seed: UInt64,
    confidence: Double = 0.95
  ) throws(SampleError) {
    guard confidence > 0, confidence < 1 else { throw .invalidConfidence(confidence) }
    // Throws for samples that are not pairs.
    _ = try LaunchRatios(of: launches, clock: clock)
    let measured = launches.filter { !$0.base.nanoseconds(clock).isEmpty }
    repeats = measured.map(\.repeats).max() ?? 1
    let resampled = ResampledTails(measured, clock: clock, seed: seed, confidence: confidence)
    p95 = try resampled.quantile(0.95)
    p99 = try resampled.quantile(0.99)
  }
}

/// Both builds' samples by launch, for resampling.
private struct ResampledTails {
  let base: ClusteredSamples
  let candidate: ClusteredSamples
  let seed: UInt64
  let confidence: Double

  init(
    _ launches: [PairedLaunch], clock: PairedLaunch.Clock, seed: UInt64, confidence: Double
  ) {
    func pooled(_ arm: KeyPath<PairedLaunch, PairedLaunch.Arm>) -> ClusteredSamples {
      ClusteredSamples(
        launches.map { launch in
          let repeats = Double(max(launch.repeats, 1))
          return launch[keyPath: arm].nanoseconds(clock).map { Double($0) / repeats }
        })
    }
    base = pooled(\.base)
    candidate = pooled(\.candidate)
    self.seed = seed
    self.confidence = confidence
  }

  func quantile(_ fraction: Double) throws(SampleError) -> TailLatency.Quantile? {
    guard let needed = SortedSamples.minimumCount(forQuantile: fraction),
      base.sizes.reduce(0, +) >= needed, let base = base.quantile(fraction),
      let candidate = candidate.quantile(fraction)
    else { return nil }
    let draws = drawn(fraction)
    return TailLatency.Quantile(
      fraction: fraction, base: try estimate(base, draws.map(\.base)),
      candidate: try estimate(candidate, draws.map(\.candidate)),
      ratio: try estimate(candidate / base, draws.map { $0.candidate / $0.base }))
  }

  /// Returns the quantile of both builds in each resample; empty for fewer than two launches.
  private func drawn(_ fraction: Double) -> [(base: Double, candidate: Double)] {
    // The same seed, and so the same resamples, for each quantile.
    var bootstrap = ClusterBootstrap(seed: seed)
    var drawn: [(base: Double, candidate: Double)] = []
    for _ in 0..<ClusterBootstrap.draws {
      guard let draw = bootstrap.draw(of: base.sizes.count),
        let base = base.quantile(fraction, draw: draw),
        let candidate = candidate.quantile(fraction, draw: draw)
      else { return [] }
      drawn.append((base, candidate))
    }
    return drawn
  }

  private func estimate(
    _ value: Double, _ drawn: [Double]
  ) throws(SampleError) -> TailLatency.Estimate {
    if drawn.isEmpty { return TailLatency.Estimate(value: value, lower: nil, upper: nil) }
    let (lower, upper) = try ClusterBootstrap.interval(of: drawn, confidence: confidence)
    return TailLatency.Estimate(value: value, lower: lower, upper: upper)
  }
}
