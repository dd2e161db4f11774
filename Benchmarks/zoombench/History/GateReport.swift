internal import MeasurementHistory

/// What the newest run of a machine says against that machine's own history.
struct GateReport: Codable {
  static let currentSchema = "zoombench.gate/1"

  enum Verdict: String, Codable {
    case passed, failed
    /// Too few runs to tell, or a run that cannot be trusted.
    case inconclusive
  }

  /// A run, as far as a reader needs it to find the commit.
  struct Place: Codable, Hashable {
    var run: String
    var commit: String

    init(_ point: Series.Point) {
      run = point.run
      commit = point.revision.commit
    }

    init(_ summary: RunSummary) {
      run = summary.id
      commit = summary.revision.commit
    }
  }

  /// Something the series of a case says.
  struct Finding: Codable {
    var kind: HistoryJudge.Finding.Kind
    var direction: HistoryJudge.Direction
    /// The new level over the old.
    var ratio: Double
    /// The last run that is sure to be before the change; nil where the series begins with it.
    var lastGood: Place?
    /// The first run that is sure to be after it.
    var firstBad: Place
  }

  /// A count that is greater than it was.
  struct Rise: Codable {
    var counter: String
    var before: Int
    var now: Int
    /// The run that it was less in.
    var previous: Place
    /// Whether `--allow-counter` names it.
    var isAllowed: Bool
  }

  struct Case: Codable {
    var name: String
    /// What was judged; nil for a case without ratios of CPU time.
    var measure: String?
    /// How many runs were judged, the newest included.
    var runs: Int
    /// The newest run's value.
    var newest: Double?
    var findings: [Finding]
    var rises: [Rise]
    /// Why the newest run's step counts for nothing, if it was accepted.
    var accepted: String?
    var verdict: Verdict
  }

  /// A case that earlier runs of the same series have, and that the newest has not.
  struct Missing: Codable {
    var name: String
    /// The last run that has it.
    var last: Place
  }

  var schema = GateReport.currentSchema
  /// The machine's fingerprint.
  var machine: String
  /// Nil where the machine has no run.
  var run: RunSummary?
  var cases: [Case] = []
  /// What the newest run should have measured, and did not: removed, renamed, or not asked for.
  var missing: [Missing] = []
  /// Why no case could be judged, without a full stop.
  var refusal: String?

  var verdict: Verdict {
    if cases.contains(where: { $0.verdict == .failed }) { return .failed }
    let isComplete = !cases.isEmpty && cases.allSatisfy { $0.verdict == .passed }
    return isComplete ? .passed : .inconclusive
  }
}
