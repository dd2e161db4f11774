import RealModule

/// A comparison of two builds with all raw samples, which reports, exports and the history read.
package struct BuildComparison: Sendable, Hashable {
  package struct Build: Sendable, Hashable {
    package var name: String
    /// The commit it was built from; nil for a bare executable.
    package var commit: String?
    package var isDirty: Bool?
    /// The worker's own name and version.
    package var tool: String
    /// The versions of its dependencies by name; nil for an executable that was not built here.
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
    package let ratio: Double
    package let interval: PairedRatio.Interval?
  }

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
  /// had its own layout.
  package var oneLayout: String?
  /// Counters that may rise; nil for none.
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
  /// The subject of the verdicts, in a sentence without a full stop.
  package var claim: String {
    // Each launch linked both builds in another order.
    if cases.contains(where: { each in each.launches.contains { $0.layout != nil } }) {
      return "verdicts are about the code: each launch has both builds linked in another order"
    }
    let reason = oneLayout.map { ": \($0)" } ?? ""
    return
      "verdicts are about the two programs as they are, with any difference in code layout\(reason)"
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
