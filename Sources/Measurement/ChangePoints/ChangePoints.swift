internal import RealModule

/// The change points of a history, by E-divisive with a t test and a strict second pass.
///
/// As in Apache Otava (Fleming et al., "Hunter: Using change point detection to hunt for
/// performance regressions", ICPE 2023): windows that overlap by half are split, and split again,
/// at the greatest energy statistic while a t test sees a difference at ten times the p-value
/// asked for. Of these weak candidates, judged over the whole stretch to their neighbours, the
/// least significant is dropped until all are significant, then the smallest until all matter.
/// What is added here: spikes are removed first (`LevelSeries`), no level is shorter than a
/// minimum, the windows are laid from both ends, neighbouring runs may be alike, and a climb is
/// told from a step.
package enum ChangePoints {
  /// Finds the change points of a history.
  ///
  /// - Parameters:
  ///   - values: Positive numbers, such as ratios to a control, oldest first.
  ///   - settings: What counts as a change.
  /// - Returns: In ascending order; none for fewer values than make two levels. Multiplying all
  ///   values by a constant changes nothing; reversing them mirrors the change points.
  /// - Throws: `SeriesError` for a value that is not a ratio, or an invalid setting.
  /// - Complexity: O(nw) for n values and a window of w, and O(n²) for each change point found.
  package static func find(
    in values: [Double], settings: ChangePointSettings = ChangePointSettings()
  ) throws(SeriesError) -> [ChangePoint] {
    try settings.validate()
    let series = try LevelSeries(values, minimumSegment: settings.minimumSegment)
    return find(in: series, settings: settings)
  }

  static func find(in series: LevelSeries, settings: ChangePointSettings) -> [ChangePoint] {
    var candidates: Set<Int> = []
    for window in windows(count: series.count, length: settings.window) {
      let energy = EnergyStatistic(series.values, window: window)
      split(window, of: series, by: energy, settings: settings, into: &candidates)
    }
    var levels = Levels(series, starts: candidates.sorted(), settings: settings)
    levels.merge()
    levels.mergeAllowingForCorrelation()
    return Climbs.told(from: levels, of: series, settings: settings)
  }

  /// Windows that overlap by half, laid from both ends so that the direction of time is no matter.
  static func windows(count: Int, length: Int) -> [Range<Int>] {
    guard count > length else { return [0..<count] }
    let starts = stride(from: 0, through: count - length, by: length / 2)
    let mirrored = starts.map { count - length - $0 }
    return Set(starts).union(mirrored).sorted().map { $0..<$0 + length }
  }

  private static func split(
    _ segment: Range<Int>, of series: LevelSeries, by energy: EnergyStatistic,
    settings: ChangePointSettings, into candidates: inout Set<Int>
  ) {
    guard let best = energy.best(in: segment, minimum: settings.minimumSegment) else { return }
    let test = LevelTest(series, before: best.before, after: best.after)
    // Otava's factor: what is significant over the window alone may be more so over the segment.
    guard test.pValue <= 10 * settings.maximumP else { return }
    let index = best.after.lowerBound
    candidates.insert(index)
    for part in [segment.lowerBound..<index, index..<segment.upperBound] {
      split(part, of: series, by: energy, settings: settings, into: &candidates)
    }
  }
}
