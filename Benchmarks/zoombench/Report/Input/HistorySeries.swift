internal import MeasurementHistory

/// One number of one case over many commits, as the page draws it.
struct HistorySeries: Sendable, Hashable, Codable {
  /// The number of one commit, with the interval it was measured to.
  struct Point: Sendable, Hashable, Codable {
    var commit: String
    /// ISO 8601, in UTC.
    var date: String
    var value: Double
    var lower: Double?
    var upper: Double?
  }

  var caseName: String
  /// What the number is, such as "CPU time over control".
  var measure: String
  /// In the order of the commits.
  var points: [Point]
  /// The indices, ascending, of the points at which a step to another level was found.
  var segmentStarts: [Int]

  /// The ranges of points between two steps; those that `segmentStarts` names out of range or out
  /// of order are left out.
  var segments: [Range<Int>] {
    var starts = points.isEmpty ? [] : [0]
    for start in segmentStarts where points.indices.contains(start) && start > starts.last ?? 0 {
      starts.append(start)
    }
    return zip(starts, starts.dropFirst() + [points.count]).map { $0..<$1 }
  }
}

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
