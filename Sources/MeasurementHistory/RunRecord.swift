internal import Foundation
package import Measurement

/// A stored run: ratios rather than times, counters, and the raw samples.
package struct RunRecord: Sendable, Hashable, Codable {
  /// The source that was measured.
  package struct Revision: Sendable, Hashable, Codable {
    package var commit: String
    package var branch: String?
    /// The time of the commit, as ISO 8601 in UTC.
    package var committedAt: String?
    package var isDirty: Bool

    package init(
      commit: String, branch: String? = nil, committedAt: String? = nil, isDirty: Bool = false
    ) {
      (self.commit, self.branch, self.committedAt) = (commit, branch, committedAt)
      self.isDirty = isDirty
    }
  }

  /// A ratio of medians or of pairs, with its interval.
  package struct Ratio: Sendable, Hashable, Codable {
    package var value: Double
    package var lower: Double?
    package var upper: Double?

    package init(value: Double, lower: Double? = nil, upper: Double? = nil) {
      self.value = value
      self.lower = lower
      self.upper = upper
    }
  }

  package struct Case: Sendable, Hashable, Codable {
    package var name: String
    /// The ratio of CPU time to the frozen control's in the same run.
    package var cpuToControl: Ratio?
    /// The ratio of wall time to the control's.
    package var wallToControl: Ratio?
    /// The ratio of CPU time to the pinned baseline's, pair by pair.
    package var cpuToBaseline: Ratio?
    /// The ratio of wall time to the pinned baseline's, pair by pair.
    package var wallToBaseline: Ratio?
    package var counters: [String: Int]
    /// The raw samples of the measured build, one array per launch.
    package var cpuNanoseconds: [[UInt64]]
    package var wallNanoseconds: [[UInt64]]

    package init(
      name: String, cpuToControl: Ratio? = nil, wallToControl: Ratio? = nil,
      cpuToBaseline: Ratio? = nil, wallToBaseline: Ratio? = nil, counters: [String: Int] = [:],
      cpuNanoseconds: [[UInt64]] = [], wallNanoseconds: [[UInt64]] = []
    ) {
      (self.name, self.cpuToControl, self.wallToControl) = (name, cpuToControl, wallToControl)
      (self.cpuToBaseline, self.wallToBaseline) = (cpuToBaseline, wallToBaseline)
      (self.counters, self.cpuNanoseconds) = (counters, cpuNanoseconds)
      self.wallNanoseconds = wallNanoseconds
    }
  }

  /// A UUID, so that histories of several machines can be merged.
  package var id: String
  /// ISO 8601, in UTC.
  package var startedAt: String
  package var tool: String
  package var revision: Revision
  package var machine: MachineDescription
  /// The commit of the pinned baseline that `…ToBaseline` ratios refer to.
  package var baseline: String?
  /// The reasons that the run cannot be trusted; such a run is stored, and excluded from all series.
  package var contamination: [String]
  package var cases: [Case]

  package init(
    id: String, startedAt: String, tool: String, revision: Revision, machine: MachineDescription,
    baseline: String? = nil, contamination: [String] = [], cases: [Case]
  ) {
    (self.id, self.startedAt, self.tool, self.revision) = (id, startedAt, tool, revision)
    (self.machine, self.baseline, self.contamination) = (machine, baseline, contamination)
    self.cases = cases
  }
}

extension RunRecord {
  /// The reason that history refuses the run, without a full stop; nil if it is valid.
  ///
  /// The id must be a UUID, times ISO 8601 in UTC and in the calendar, ratios finite, positive and in
  /// order; ratios to a baseline need the baseline, and names of cases must be unique.
  package var problem: String? {
    if !Self.isUUID(id) { return "its id is not a UUID" }
    if !TimeStamp.isValid(startedAt) {
      return "startedAt is not a moment such as 2027-01-15T08:00:00Z"
    }
    if let moment = revision.committedAt, !TimeStamp.isValid(moment) {
      return "committedAt is not a moment such as 2027-01-15T08:00:00Z"
    }
    if !Self.isCommit(revision.commit) { return "its commit is not a word" }
    if let baseline, !Self.isCommit(baseline) { return "its baseline is not a word" }
    if let loads = machine.loadAverages, !loads.allSatisfy({ $0.isFinite }) {
      return "a load average is not a finite number"
    }
    // SQLite's C interface ends a text at a zero byte.
    if ([tool, revision.branch ?? ""] + contamination).contains(where: Self.hasZero) {
      return "a text has a zero character"
    }
    var names: Set<String> = []
    for item in cases {
      if !names.insert(item.name).inserted { return "it has two cases named \(item.name)" }
      if let problem = problem(of: item) { return "case \(item.name): \(problem)" }
    }
    return nil
  }

  private func problem(of item: Case) -> String? {
    if item.name.isEmpty { return "its name is empty" }
    if item.name.utf8.contains(0) || item.counters.keys.contains(where: Self.hasZero) {
      return "a name has a zero character"
    }
    for (measure, ratio) in item.ratios {
      let numbers = [ratio.value] + [ratio.lower, ratio.upper].compactMap { $0 }
      guard numbers.allSatisfy({ $0.isFinite && $0 > 0 }) else {
        return "\(measure.name) is not a finite number above zero"
      }
      if let lower = ratio.lower, let upper = ratio.upper, lower > upper {
        return "\(measure.name) has its interval's ends in the wrong order"
      }
      if measure.refersToBaseline && baseline == nil {
        return "\(measure.name) is there, but the run names no baseline"
      }
    }
    return nil
  }

  private static func hasZero(_ text: String) -> Bool { text.utf8.contains(0) }

  /// Whether the text is 8-4-4-4-12 hexadecimal digits (RFC 9562).
  private static func isUUID(_ text: String) -> Bool {
    // Foundation also parses spaces and signs in place of digits.
    UUID(uuidString: text)?.uuidString == text.uppercased()
  }

  /// Whether the text is a word without spaces and control characters: a commit, or the value of `--commit`.
  static func isCommit(_ text: String) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
  }
}

extension RunRecord {
  /// Returns an id derived from a text: the same text always gives the same id.
  ///
  /// It is a UUID of version 8 (RFC 9562, 5.8), whose free bits are a hash of the text.
  package static func id(ofText text: some Sequence<UInt8>) -> String {
    var digits = Array(FowlerNollVo.digits(text))
    digits[12] = "8"
    // The variant: the highest bits are 1 and 0.
    digits[16] = Array("89ab")[(digits[16].hexDigitValue ?? 0) & 3]
    let ends = [0, 8, 12, 16, 20, 32]
    return zip(ends, ends.dropFirst()).map { String(digits[$0..<$1]) }.joined(separator: "-")
  }

  /// Whether the text has the form of git's commit hashes, 40 or 64 digits.
  package static func isObjectName(_ text: String) -> Bool {
    [40, 64].contains(text.utf8.count) && text.allSatisfy { $0.isASCII && $0.isHexDigit }
  }
}

/// A run without its cases, for lists.
package struct RunSummary: Sendable, Hashable, Codable {
  package var id: String
  /// ISO 8601, in UTC.
  package var startedAt: String
  package var tool: String
  package var revision: RunRecord.Revision
  package var machine: String
  package var baseline: String?
  package var contamination: [String]
  package var caseCount: Int

  /// The reason that a run is excluded from all series, without a full stop; nil if it is not.
  package var exclusion: String? {
    if let first = contamination.first {
      return
        "contaminated: \(contamination.count == 1 ? first : contamination.joined(separator: "; "))"
    }
    return revision.isDirty ? "dirty: it was built from files that were not committed" : nil
  }
}
