/// A comparison of two builds with every raw sample: what reports, exports and history read.
package struct BuildComparison: Sendable, Hashable, Codable {
  /// Names this format; the number goes up when a reader must change.
  package static let currentSchema = "zoombench.compare/1"

  /// One of the two builds.
  package struct Build: Sendable, Hashable, Codable {
    /// As the user named it: a revision, a path.
    package var name: String
    /// The commit it was built from; nil for a bare executable.
    package var commit: String?
    /// Whether files that are not committed went into it.
    package var isDirty: Bool?
    /// The worker's own name and version.
    package var tool: String

    /// Describes a build.
    package init(name: String, commit: String? = nil, isDirty: Bool? = nil, tool: String) {
      self.name = name
      self.commit = commit
      self.isDirty = isDirty
      self.tool = tool
    }
  }

  /// The geometric mean of the gated cases' ratios.
  package struct Overall: Sendable, Hashable, Codable {
    package var ratio: Double
    package var interval: PairedRatio.Interval?

    /// Puts a mean and its interval together.
    package init(ratio: Double, interval: PairedRatio.Interval?) {
      self.ratio = ratio
      self.interval = interval
    }
  }

  package var schema = Self.currentSchema
  /// ISO 8601, in UTC.
  package var startedAt: String
  /// Wall time of the measurement, builds apart.
  package var seconds: Double
  package var seed: UInt64
  package var settings: GateSettings
  package var machine: MachineDescription
  package var base: Build
  package var candidate: Build
  /// The gated cases and the checks, in the order of the suite.
  package var cases: [CaseComparison]
  /// Gated cases that only one of the builds has, and that were therefore not compared.
  package var onlyInBase: [String]
  package var onlyInCandidate: [String]
  package var overall: Overall?
  /// Why the run cannot be trusted, each a sentence without a full stop; empty for a clean run.
  package var contamination: [String]
  /// Counters that may rise; nil for none, and in results that earlier versions wrote.
  package var allowedCounters: [String]?

  /// Puts a result together.
  package init(
    startedAt: String, seconds: Double, seed: UInt64, settings: GateSettings,
    machine: MachineDescription, base: Build, candidate: Build, cases: [CaseComparison],
    onlyInBase: [String] = [], onlyInCandidate: [String] = [],
    overall: Overall?, contamination: [String],
    allowedCounters: [String]? = nil
  ) {
    self.startedAt = startedAt
    self.seconds = seconds
    self.seed = seed
    self.settings = settings
    self.machine = machine
    self.base = base
    self.candidate = candidate
    self.cases = cases
    self.onlyInBase = onlyInBase
    self.onlyInCandidate = onlyInCandidate
    self.overall = overall
    self.contamination = contamination
    self.allowedCounters = allowedCounters
  }
}
