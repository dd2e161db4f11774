internal import Measurement

extension HistoryJudge {
  /// Prediction interval and change points, as `HistoryGate` has them.
  static let standard = HistoryJudge(
    // As many as a prediction needs.
    leastHistory: PredictionInterval.Settings().minimumCount,
    judge: { values in try HistoryGate.judge(values).map(Finding.init) },
    changes: { values in try ChangePoints.find(in: values).map(Change.init) })
}

extension HistoryJudge.Change {
  fileprivate init(_ change: ChangePoint) {
    self.init(index: change.index, plausible: change.range, ratio: change.ratio)
  }
}

extension HistoryJudge.Finding {
  fileprivate init(_ finding: GateFinding) {
    let kind: Kind =
      switch finding.kind {
      case .beyondPrediction: .beyondPrediction
      case .step: .step
      case .drift: .drift
      }
    self.init(
      kind: kind, direction: finding.direction == .slower ? .slower : .faster,
      plausible: finding.range, ratio: finding.ratio)
  }
}
