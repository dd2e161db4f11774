import RealModule

/// A ratio of two builds, with its interval from resampled launches; nil for fewer than two launches.
package struct ResampledRatio: Sendable, Hashable, Codable {
  package let ratio: Double
  package let interval: PairedRatio.Interval?
}

extension ResampledRatio {
  /// Averages the gated cases: the geometric mean of their ratios, from the second measurement if there is
  /// one.
  ///
  /// The geometric mean is the only one that does not depend on which build is the base. Its interval comes
  /// from resampling the launches of each case (`ClusterBootstrap`) and estimating each case in the way of
  /// its ratio, with the same numbers of launches and means trimmed. It is about these cases only, not
  /// about cases that the suite might have had. The interval is nil if a case has fewer than two launches,
  /// and the result without a gated case. Few launches of few cases show little of their scatter: at 95 %
  /// and four launches each, the interval contained the truth in 86 % of simulated runs with two cases, and
  /// in 95 % with ten.
  ///
  /// - Throws: A `SampleError` of a case's samples, or `.invalidConfidence`.
  package init?(
    meanOf cases: [CaseComparison], seed: UInt64, confidence: Double = 0.95
  ) throws(SampleError) {
    let gated = cases.filter { $0.role == .gated }
    guard !gated.isEmpty else { return nil }
    var sum = 0.0
    var medians: [[Double]] = []
    for each in gated {
      sum += Double.log(each.change.ratio)
      medians.append(try LaunchRatios(of: each.changeLaunches, clock: each.clock).medians)
    }
    let means = try ClusterBootstrap.resampled(medians.map(\.count), seed: seed) {
      (draws) throws(SampleError) -> Double in
      var sum = 0.0
      for (launches, draw) in zip(medians, draws) {
        let drawn = zip(launches, draw).flatMap { [Double](repeating: $0, count: $1) }
        // Trims as many as the original estimate; a resample has one launch fewer and would trim less.
        let cut = LocationEstimate.leftOut(of: launches.count)
        sum += LocationEstimate(try SortedSamples(drawn), leavingOut: cut).center
      }
      return sum / Double(medians.count)
    }
    ratio = Double.exp(sum / Double(gated.count))
    interval = try ClusterBootstrap.interval(of: means, confidence: confidence)?.ofRatio
  }
}
