import RealModule

extension BuildComparison.Overall {
  /// Averages the gated cases: the geometric mean of their ratios of CPU time.
  ///
  /// The geometric mean is the one that does not depend on which build is the base. Its interval
  /// comes from drawing the launches of each case again (`ClusterBootstrap`), estimating each case
  /// anew in the way its ratio was estimated, and leaving out the same share of the means on either
  /// side. It speaks of these cases only, not of cases that the suite might have had. There is no
  /// interval if a case has fewer than two launches, and nothing at all if no case is gated. Few
  /// launches of few cases say little about their scatter: at 95 % and four launches each, two
  /// cases were enclosed in 86 % of simulated runs, ten in 95 %.
  ///
  /// - Parameters:
  ///   - cases: The cases of a comparison; those that are not gated are left out.
  ///   - seed: The seed of the draws.
  ///   - confidence: The chance, between zero and one, that the interval has to enclose the mean.
  /// - Throws: A `SampleError` of a case's samples, or `.invalidConfidence`.
  package init?(
    of cases: [CaseComparison], seed: UInt64, confidence: Double = 0.95
  ) throws(SampleError) {
    let gated = cases.filter { $0.role == .gated }
    guard !gated.isEmpty else { return nil }
    var sum = 0.0
    var resampled: [ResampledCase] = []
    for each in gated {
      sum += Double.log(each.cpu.ratio)
      resampled.append(try ResampledCase(each))
    }
    self.init(
      ratio: Double.exp(sum / Double(gated.count)),
      interval: try Self.interval(of: resampled, seed: seed, confidence: confidence))
  }

  private static func interval(
    of cases: [ResampledCase], seed: UInt64, confidence: Double
  ) throws(SampleError) -> PairedRatio.Interval? {
    guard confidence > 0, confidence < 1 else { throw .invalidConfidence(confidence) }
    var bootstrap = ClusterBootstrap(seed: seed)
    var means: [Double] = []
    for _ in 0..<ClusterBootstrap.draws {
      var sum = 0.0
      for each in cases {
        guard let draw = bootstrap.draw(of: each.launches) else { return nil }
        guard let center = try each.center(draw) else { return nil }
        sum += center
      }
      means.append(sum / Double(cases.count))
    }
    let (lower, upper) = try ClusterBootstrap.interval(of: means, confidence: confidence)
    return PairedRatio.Interval(
      lower: Double.exp(lower), upper: Double.exp(upper), coverage: confidence)
  }
}

/// One case, to be estimated again from other draws of its launches.
private struct ResampledCase {
  let launches: Int
  private let pairs: ClusteredSamples
  /// The launches' medians if they are the unit of the case's estimate, else nil.
  private let medians: [Double]?

  init(_ measured: CaseComparison) throws(SampleError) {
    let ratios = try LaunchRatios(of: measured.launches, clock: .cpu)
    launches = ratios.byLaunch.count
    pairs = ClusteredSamples(ratios.byLaunch)
    medians = measured.cpu.unit == .launch ? try ratios.medians() : nil
  }

  /// The logarithm of the ratio when each launch counts as often as the draw says.
  func center(_ draw: [Int]) throws(SampleError) -> Double? {
    guard let medians else { return pairs.quantile(0.5, draw: draw) }
    let drawn = zip(medians, draw).flatMap { [Double](repeating: $0, count: $1) }
    return try LocationEstimate.hodgesLehmann(of: drawn)
  }
}
