internal import Measurement

/// What decides whether a series moved: the seam between the gate and its statistics.
struct HistoryJudge: Sendable {
  enum Direction: String, Codable {
    case slower, faster
  }

  /// A place from which on values are of another level.
  struct Change: Hashable, Codable {
    /// The first value of the new level.
    var index: Int
    /// Where that first value may lie, with the confidence of the test.
    var plausible: ClosedRange<Int>
    /// The new level over the old.
    var ratio: Double

    var direction: Direction { ratio > 1 ? .slower : .faster }
  }

  /// Something the newest values say.
  struct Finding: Hashable, Codable {
    enum Kind: String, Codable {
      /// The newest values lie outside what the earlier ones foretell.
      case beyondPrediction
      /// The level changed at one place.
      case step
      /// The level creeps.
      case drift
    }

    var kind: Kind
    var direction: Direction
    /// Where the first value that is affected may lie.
    var plausible: ClosedRange<Int>
    /// The newest level over the one before.
    var ratio: Double
  }

  /// Below so many values nothing is said.
  var leastHistory: Int
  var judge: @Sendable ([Double]) throws -> [Finding]
  var changes: @Sendable ([Double]) throws -> [Change]
}

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
