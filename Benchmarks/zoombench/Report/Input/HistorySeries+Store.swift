internal import MeasurementHistory

extension HistorySeries {
  /// The ratios of every case that a machine has measured, each with where it moved.
  ///
  /// Only runs against the newest baseline are drawn: ratios to another one are another series.
  static func all(
    in store: HistoryStore, machine: String, judge: HistoryJudge = .standard
  ) throws -> [HistorySeries] {
    var found: [HistorySeries] = []
    for name in try store.caseNames(machine: machine) {
      for (measure, title) in [
        (Measure.cpuToBaseline, "CPU time over the baseline"),
        (.cpuToControl, "CPU time over the control"),
      ] {
        let series = try store.series(case: name, measure: measure, machine: machine)
        guard let segment = series.segments.last, !segment.points.isEmpty else { continue }
        let points = segment.points.map { point in
          Point(
            commit: point.revision.commit, date: point.revision.committedAt ?? point.startedAt,
            value: point.value, lower: point.lower, upper: point.upper)
        }
        found.append(
          HistorySeries(
            caseName: name, measure: title, points: points,
            segmentStarts: try judge.changes(points.map(\.value)).map(\.index)))
        // The better of the two measures is enough.
        break
      }
    }
    return found
  }
}
