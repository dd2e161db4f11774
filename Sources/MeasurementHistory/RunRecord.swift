package import Measurement

/// One run as history keeps it: ratios rather than times, counters, and the raw samples.
package struct RunRecord: Sendable, Hashable, Codable {
  /// The source that was measured.
  package struct Revision: Sendable, Hashable, Codable {
    package var commit: String
    package var branch: String?
    /// ISO 8601, in UTC: when it was committed.
    package var committedAt: String?
    /// Whether files that are not committed went into it.
    package var isDirty: Bool

    /// Describes a revision.
    package init(
      commit: String, branch: String? = nil, committedAt: String? = nil, isDirty: Bool = false
    ) {
      self.commit = commit
      self.branch = branch
      self.committedAt = committedAt
      self.isDirty = isDirty
    }
  }

  /// A ratio of medians or of pairs, with the interval it was measured to.
  package struct Ratio: Sendable, Hashable, Codable {
    package var value: Double
    package var lower: Double?
    package var upper: Double?

    /// Puts a ratio together.
    package init(value: Double, lower: Double? = nil, upper: Double? = nil) {
      self.value = value
      self.lower = lower
      self.upper = upper
    }
  }

  /// What one case gave.
  package struct Case: Sendable, Hashable, Codable {
    package var name: String
    /// CPU time over that of the frozen control of the same run.
    package var cpuToControl: Ratio?
    /// Wall time over that of the control.
    package var wallToControl: Ratio?
    /// CPU time over that of the pinned baseline, pair by pair.
    package var cpuToBaseline: Ratio?
    /// Wall time over that of the pinned baseline, pair by pair.
    package var wallToBaseline: Ratio?
    package var counters: [String: Int]
    /// The raw samples of the measured build, one array a launch.
    package var cpuNanoseconds: [[UInt64]]
    package var wallNanoseconds: [[UInt64]]

    /// Puts a case together.
    package init(
      name: String, cpuToControl: Ratio? = nil, wallToControl: Ratio? = nil,
      cpuToBaseline: Ratio? = nil, wallToBaseline: Ratio? = nil, counters: [String: Int] = [:],
      cpuNanoseconds: [[UInt64]] = [], wallNanoseconds: [[UInt64]] = []
    ) {
      self.name = name
      self.cpuToControl = cpuToControl
      self.wallToControl = wallToControl
      self.cpuToBaseline = cpuToBaseline
      self.wallToBaseline = wallToBaseline
      self.counters = counters
      self.cpuNanoseconds = cpuNanoseconds
      self.wallNanoseconds = wallNanoseconds
    }
  }

  /// A UUID, so that histories of several machines merge without meeting twice.
  package var id: String
  /// ISO 8601, in UTC.
  package var startedAt: String
  package var tool: String
  package var revision: Revision
  package var machine: MachineDescription
  /// The commit of the pinned baseline that `…ToBaseline` ratios refer to.
  package var baseline: String?
  /// Why the run cannot be trusted; such a run is kept, and left out of every series.
  package var contamination: [String]
  package var cases: [Case]

  /// Puts a run together.
  package init(
    id: String, startedAt: String, tool: String, revision: Revision, machine: MachineDescription,
    baseline: String? = nil, contamination: [String] = [], cases: [Case]
  ) {
    self.id = id
    self.startedAt = startedAt
    self.tool = tool
    self.revision = revision
    self.machine = machine
    self.baseline = baseline
    self.contamination = contamination
    self.cases = cases
  }
}
