/// What the newest run of a history is judged by.
package struct HistoryGateSettings: Sendable, Hashable, Codable {
  /// What counts as a change of level.
  package var changePoints: ChangePointSettings
  /// What the newest two runs are compared with.
  package var prediction: PredictionInterval.Settings
  /// How many runs before the newest a change may have begun, or a drift ended, to be news.
  package var alertWithin: Int
  /// The indexes of runs that begin a level which was looked at and accepted.
  ///
  /// What came before the last of them is left out of the judgement.
  package var acknowledged: [Int]

  /// Puts settings together.
  ///
  /// - Parameters:
  ///   - changePoints: For changes of level.
  ///   - prediction: For the newest two runs.
  ///   - alertWithin: Zero or more. A change that takes more runs than this to become
  ///     significant is never reported, so a noisy history needs more.
  ///   - acknowledged: Indexes of the history.
  package init(
    changePoints: ChangePointSettings = ChangePointSettings(),
    prediction: PredictionInterval.Settings = PredictionInterval.Settings(),
    alertWithin: Int = 10, acknowledged: [Int] = []
  ) {
    self.changePoints = changePoints
    self.prediction = prediction
    self.alertWithin = alertWithin
    self.acknowledged = acknowledged
  }
}
