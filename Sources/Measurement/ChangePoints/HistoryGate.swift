/// Judges the newest run of a history of several cases.
///
/// A change of level is found from its third run on, with the run at which it began. The runs since the
/// last change are tested for a climb. Both tests share an error rate for all cases of a run together, so
/// that a suite of thirty cases raises no more false alarms than one of three.
package enum HistoryGate {
  /// The nominal chance that a run in which nothing changed raises an alarm in any of its cases.
  ///
  /// One false alarm in a hundred runs is one in several weeks, if each merge has a run. There are fewer if
  /// neighbouring runs are independent, and more if they are strongly correlated.
  package static let errorRate = 0.01

  /// The number of runs for which a change is news, since a step or since the end of a drift.
  ///
  /// A change that takes more runs to become significant is never reported.
  package static let newsRuns = 10

  /// The fewest runs that are judged.
  ///
  /// From seven runs, a standard deviation is known within a factor of two (for 95 % of normal samples);
  /// three more are the shortest level.
  package static let fewestRuns = 10

  /// Judges the newest run of one case.
  ///
  /// - Parameters:
  ///   - values: Positive numbers of one case, oldest first; the last is the run to judge. Omit runs
  ///     before an accepted change.
  ///   - cases: The number of cases in the run; at least one.
  /// - Returns: The changes that are at most `newsRuns` runs old, in ascending order. So the calls for
  ///   consecutive runs return the same change: see `ChangePoint.isSame(as:)`.
  /// - Throws: `NotARatio`.
  package static func judge(
    _ values: [Double], among cases: Int
  ) throws(NotARatio) -> [ChangePoint] {
    let logs = try DespikedLogs(values)
    guard logs.count >= fewestRuns else { return [] }
    // By Bonferroni over the cases and the two tests.
    let errorRate = errorRate / Double(2 * max(1, cases))
    var changes = ChangePoints.find(in: logs, errorRate: errorRate)
    // After the end of a climb, the values may continue to climb or climb again.
    while let climb = StepsAndClimbs.climb(
      from: (changes.last?.newLevelStart ?? 0)..<logs.count, of: logs, errorRate: errorRate)
    {
      changes.append(climb)
    }
    return changes.filter { $0.newLevelStart >= logs.count - 1 - newsRuns }
  }
}

extension ChangePoint {
  fileprivate var newLevelStart: Int { kind == .drift ? plausible.upperBound : index }
}
