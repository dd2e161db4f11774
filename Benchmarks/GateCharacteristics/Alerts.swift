internal import Measurement

/// The alerts that continuous integration would raise, judging the history after each run.
struct Alerts: Sendable {
  /// One alert, from the run that raised it, with what later runs said of the same change.
  struct Alert: Sendable {
    /// The index of the run that raised it.
    var raised: Int
    /// The findings, at most one a run, oldest first; never empty.
    var findings: [GateFinding]

    /// Whether the prediction interval raised it.
    var isByPrediction: Bool { findings[0].change == nil }

    /// The newest change point among the findings: what a bisection would start from.
    var lastChange: ChangePoint? { findings.lazy.compactMap(\.change).last }
  }

  private(set) var alerts: [Alert] = []

  /// Judges some runs of a history one after the other.
  init(_ values: [Double], runs: Range<Int>, settings: HistoryGateSettings) throws {
    for run in runs {
      for finding in try HistoryGate.judge(Array(values[...run]), settings: settings) {
        let known = alerts.lastIndex { $0.findings.contains { $0.isSame(as: finding) } }
        if let known {
          alerts[known].findings.append(finding)
        } else {
          alerts.append(Alert(raised: run, findings: [finding]))
        }
      }
    }
  }
}

extension GateFinding {
  /// The change of level that this reports, if it is one.
  fileprivate var change: ChangePoint? {
    switch kind {
    case .step(let change), .drift(let change): change
    case .beyondPrediction: nil
    }
  }
}
