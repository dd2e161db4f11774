/// Decides, look by look, whether a case needs more launches.
///
///     var comparison = SequentialComparison(settings: settings)
///     while let count = try comparison.next(after: launches) {
///       … measure until there are so many launches …
///     }
///     comparison.latest  // the estimate with the verdict
///
/// Repeated looks at one error rate multiply the false alarms: 1 % became 5 to 6 % with a look after each
/// launch. The looks therefore share the error rate. Each look may spend a part that is proportional to its
/// new launches, as a share of the most launches (the spending function αt of Kim and DeMets, "Design and
/// analysis of group sequential tests based on the type I error spending rate function", Biometrika 74,
/// 1987). The parts add up to the error rate, so by Bonferroni's inequality all looks together keep it, for
/// any dependence between looks.
///
/// Two other divisions were simulated. Equal parts decide quiet cases as early, but leave 16 % instead of
/// 6 % undecided at a change of 2 % and a spread of 10 %. O'Brien and Fleming's function, which
/// spends almost nothing at first, leaves 1 %, but takes twice the launches where one look would
/// be enough: 8 instead of 4 at a change of 3 % and a spread of 2.6 %, which both always find.
package struct SequentialComparison: Sendable, Hashable {
  package let settings: GateSettings

  /// The clock that decides; it must not change after the first look.
  package var clock = PairedLaunch.Clock.cpu

  /// The estimate of the last look taken, at that look's error rate; nil before the first.
  package private(set) var latest: ChangeEstimate?

  /// The planned number of launches at the last look taken, up to which the error rate is spent.
  private var launchesSeen = 0

  /// Starts the comparison of one case; the settings must not have a problem.
  package init(settings: GateSettings) {
    precondition(settings.problem == nil, settings.problem ?? "")
    self.settings = settings
  }

  /// Takes a look if one is due, and returns the total number of launches at the next.
  ///
  /// If launches were measured past one or more looks, a single look is taken and spends the parts of all.
  ///
  /// - Returns: Nil if the verdict is reached, or stays inconclusive after the last look.
  /// - Throws: A `SampleError` of the samples.
  package mutating func next(after launches: [PairedLaunch]) throws(SampleError) -> Int? {
    if isDone { return nil }
    if let due = settings.looks.last(where: { $0 <= launches.count }), due > launchesSeen {
      _ = try look(at: launches, until: due)
      if isDone { return nil }
    }
    return settings.looks.first { $0 > launches.count } ?? mostLaunches
  }

  /// Ends the comparison before its last look, because time is up.
  ///
  /// This look spends the rest of the error rate, and is therefore the last. That keeps the error rate if the
  /// end of the run does not depend on the ratios.
  ///
  /// - Returns: The estimate; the last look's if no launch was added since.
  /// - Throws: A `SampleError` of the samples, such as `.noSamples`.
  package mutating func stop(after launches: [PairedLaunch]) throws(SampleError) -> ChangeEstimate {
    if let latest, isDone || launches.count <= launchesSeen { return latest }
    return try look(at: launches, until: mostLaunches)
  }

  /// The launches of the last look; validated settings have one.
  private var mostLaunches: Int { settings.looks.last ?? 0 }

  /// Whether there is a verdict, or no look left.
  private var isDone: Bool {
    launchesSeen >= mostLaunches || latest.map { $0.verdict != .inconclusive } ?? false
  }

  /// Takes a look, and spends the error rate between the last look and this one.
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
