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
    func pooled(_ arm: KeyPath<PairedLaunch, PairedLaunch.Arm>) -> ClusteredSamples {
      ClusteredSamples(
        measured.map { launch in
          let repeats = Double(max(launch.repeats, 1))
          return launch[keyPath: arm].nanoseconds(clock).map { Double($0) / repeats }
        })
    }
    let (base, candidate) = (pooled(\.base), pooled(\.candidate))
    func quantile(_ fraction: Double) throws(SampleError) -> Quantile? {
      guard let needed = SortedSamples.minimumCount(forQuantile: fraction),
        base.sizes.reduce(0, +) >= needed, let before = base.quantile(fraction),
        let after = candidate.quantile(fraction)
      else { return nil }
      // The same seed, and so the same resamples, for each quantile. No launch is empty, so every draw has
      // samples.
      let draws = try ClusterBootstrap.resampled([measured.count], seed: seed) { counts in
        (
          base: base.quantile(fraction, draw: counts[0]) ?? 0,
          candidate: candidate.quantile(fraction, draw: counts[0]) ?? 0
        )
      }
      func estimate(
        _ value: Double, _ part: ((base: Double, candidate: Double)) -> Double
      ) throws(SampleError) -> Estimate {
        let interval = try ClusterBootstrap.interval(
          of: draws?.map(part), confidence: confidence)
        return Estimate(value: value, lower: interval?.lower, upper: interval?.upper)
      }
      return Quantile(
        fraction: fraction, base: try estimate(before) { $0.base },
        candidate: try estimate(after) { $0.candidate },
        ratio: try estimate(after / before) { $0.candidate / $0.base })
    }
    p95 = try quantile(0.95)
    p99 = try quantile(0.99)
  }
}
