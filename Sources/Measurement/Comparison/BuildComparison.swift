import RealModule

/// A comparison of two builds with all raw samples, which reports, exports and the history read.
package struct BuildComparison: Sendable, Hashable, Codable {
  /// The name of this format; its number rises when readers must change.
  package static let currentSchema = "zoombench.compare/1"

  package struct Build: Sendable, Hashable, Codable {
    package var name: String
    /// The commit it was built from; nil for a bare executable.
    package var commit: String?
    package var isDirty: Bool?
    /// The worker's own name and version.
    package var tool: String
    /// The versions of its dependencies by name; nil for an executable that was not built here, and in
    /// results of earlier versions.
    package var dependencies: [String: String]?

    package init(
      name: String, commit: String? = nil, isDirty: Bool? = nil, tool: String,
      dependencies: [String: String]? = nil
    ) {
      (self.name, self.commit, self.isDirty, self.tool) = (name, commit, isDirty, tool)
      self.dependencies = dependencies
    }
  }

  /// The geometric mean of the gated cases' ratios.
  package struct Overall: Sendable, Hashable, Codable {
    package var ratio: Double
    package var interval: PairedRatio.Interval?

    package init(ratio: Double, interval: PairedRatio.Interval?) {
      self.ratio = ratio
      self.interval = interval
    }
  }

  package var schema = Self.currentSchema
  /// ISO 8601, in UTC.
  package var startedAt: String
  /// Wall time of the measurement without the builds.
  package var seconds: Double
  package var seed: UInt64
  package var settings: GateSettings
  package var machine: MachineDescription
  package var base: Build
  package var candidate: Build
  /// The gated cases and the checks, in the order of the suite.
  package var cases: [CaseComparison]
  /// Gated cases that only one of the builds has, so they were not compared.
  package var onlyInBase: [String]
  package var onlyInCandidate: [String]
  package var overall: Overall?
  /// The reasons that the run cannot be trusted, each a sentence without a full stop; empty for a clean run.
  package var contamination: [String]
  /// The reason that both builds ran with one layout, in a clause without a full stop; nil if each launch
  /// had its own layout, and in results of earlier versions.
  package var oneLayout: String?
  /// Counters that may rise; nil for none, and in results of earlier versions.
  package var allowedCounters: [String]?

  package init(
    startedAt: String, seconds: Double, seed: UInt64, settings: GateSettings,
    machine: MachineDescription, base: Build, candidate: Build, cases: [CaseComparison],
    onlyInBase: [String] = [], onlyInCandidate: [String] = [],
    overall: Overall?, contamination: [String], oneLayout: String? = nil,
    allowedCounters: [String]? = nil
  ) {
    (self.startedAt, self.seconds, self.seed, self.settings) = (startedAt, seconds, seed, settings)
    (self.machine, self.base, self.candidate, self.cases) = (machine, base, candidate, cases)
    (self.onlyInBase, self.onlyInCandidate, self.overall) = (onlyInBase, onlyInCandidate, overall)
    (self.contamination, self.oneLayout) = (contamination, oneLayout)
    self.allowedCounters = allowedCounters
  }
}

extension BuildComparison {
  /// Whether each launch linked both builds in another order, so that verdicts are about code.
  package var isAboutCode: Bool {
    cases.contains { each in each.launches.contains { $0.layout != nil } }
  }

  /// The subject of the verdicts, in a sentence without a full stop.
  package var claim: String {
    if isAboutCode {
      return "verdicts are about the code: each launch has both builds linked in another order"
    }
    let reason = oneLayout.map { ": \($0)" } ?? ""
    return
      "verdicts are about these two executables, whose code may be laid out differently\(reason)"
  }
}

extension BuildComparison.Overall {
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
    of cases: [CaseComparison], seed: UInt64, confidence: Double = 0.95
  ) throws(SampleError) {
    let gated = cases.filter { $0.role == .gated }
    guard !gated.isEmpty else { return nil }
    var sum = 0.0
    var resampled: [ResampledCase] = []
    for each in gated {
      sum += Double.log(each.change.ratio)
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

/// One case that can be estimated from resampled launches.
private struct ResampledCase {
  let launches: Int
  private let medians: [Double]

  init(_ measured: CaseComparison) throws(SampleError) {
    medians = try LaunchRatios(of: measured.changeLaunches, clock: measured.clock).medians()
    launches = medians.count
  }

  /// Returns the logarithm of the ratio with each launch counted as often as it was drawn.
  func center(_ draw: [Int]) throws(SampleError) -> Double? {
    let drawn = zip(medians, draw).flatMap { [Double](repeating: $0, count: $1) }
    // Trims as many as the original estimate; a resample has one launch fewer and would trim less.
    return LocationEstimate(
      try SortedSamples(drawn), leavingOut: LocationEstimate.leftOut(of: launches)
    ).center
  }
}
