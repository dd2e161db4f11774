/// Decides, look by look, whether a case has been measured enough.
///
///     var comparison = try SequentialComparison(settings: settings)
///     var step = try comparison.next(after: [])
///     while case .measure(let launches) = step {
///       … measure until there are so many launches …
///       step = try comparison.next(after: measured)
///     }
///
/// To look again and again at one error rate multiplies the false alarms: 1 % became 5 to 6 % with
/// a look after each launch. The looks therefore share the error rate. A look may spend as much of
/// it as it has launches more than the look before, as a share of the most launches there may be
/// (the spending function αt of Kim and DeMets, "Design and analysis of group sequential tests
/// based on the type I error spending rate function", Biometrika 74, 1987). The shares add up to
/// the error rate, so by Bonferroni's inequality all looks together keep it, for any dependence
/// between looks and for either unit of the interval.
///
/// Two other divisions were simulated. Equal shares decide quiet cases as early, but leave 16 % and
/// not 6 % undecided at a change of 2 % and a spread of 10 %. O'Brien and Fleming's function, which
/// spends next to nothing at first, leaves 1 %, but takes twice the launches where one look would
/// do: 8 instead of 4 at a change of 3 % and a spread of 2.6 %, which both of them always find.
package struct SequentialComparison: Sendable, Hashable {
  /// The next thing to do.
  package enum Step: Sendable, Hashable {
    /// To measure until there are this many launches of the case in all, and ask again.
    case measure(untilLaunches: Int)
    /// To stop: the verdict is reached, or stays inconclusive after the last look.
    case done(ChangeEstimate)
  }

  /// The margins, the error rate and the looks.
  package let settings: GateSettings

  /// The clock that decides; it must not change after the first look.
  package var clock = PairedLaunch.Clock.cpu

  /// The estimate of the last look taken, at that look's error rate; nil before the first.
  package private(set) var latest: ChangeEstimate?

  /// The planned number of launches of the last look taken: the error rate is spent up to here.
  private var launchesSeen = 0

  /// Starts the comparison of one case.
  ///
  /// - Throws: A `GateSettingsError`.
  package init(settings: GateSettings) throws(GateSettingsError) {
    try settings.validate()
    self.settings = settings
  }

  /// Looks at the launches if a look is due, and says what to do next.
  ///
  /// If launches were measured past one or more looks, a single look is taken and spends what
  /// those would have spent.
  ///
  /// - Parameter launches: All launches of the case so far, those of earlier looks included.
  /// - Returns: To measure on, or the estimate.
  /// - Throws: A `SampleError` of the samples.
  package mutating func next(after launches: [PairedLaunch]) throws(SampleError) -> Step {
    if let latest, isDone { return .done(latest) }
    if let due = settings.looks.last(where: { $0 <= launches.count }), due > launchesSeen {
      let estimate = try look(at: launches, until: due)
      if isDone { return .done(estimate) }
    }
    let following = settings.looks.first { $0 > launches.count } ?? mostLaunches
    return .measure(untilLaunches: following)
  }

  /// Ends the comparison before its last look, because time is up.
  ///
  /// What earlier looks have not spent of the error rate is spent on this one, which is therefore
  /// the last; that keeps the error rate as long as it is not the ratios that end the run.
  ///
  /// - Parameter launches: All launches of the case so far.
  /// - Returns: The estimate; that of the last look if there were no launches since.
  /// - Throws: A `SampleError` of the samples, such as `.noSamples`.
  package mutating func stop(after launches: [PairedLaunch]) throws(SampleError) -> ChangeEstimate {
    if let latest, isDone || launches.count <= launchesSeen { return latest }
    return try look(at: launches, until: mostLaunches)
  }

  /// The last look; the settings are checked to have one.
  private var mostLaunches: Int { settings.looks.last ?? 0 }

  /// Whether there is a verdict, or no look left to reach one.
  private var isDone: Bool {
    launchesSeen >= mostLaunches || latest.map { $0.verdict != .inconclusive } ?? false
  }

  /// Looks, and spends what the error rate allows between the last look and this one.
  private mutating func look(
    at launches: [PairedLaunch], until due: Int
  ) throws(SampleError) -> ChangeEstimate {
    let share = Double(due - launchesSeen) / Double(mostLaunches)
    let estimate = try ChangeEstimate(
      of: launches, clock: clock, settings: settings, errorRate: settings.errorRate * share)
    latest = estimate
    launchesSeen = due
    return estimate
  }
}
