internal import MeasurementHistory

/// A series with where it moved: what `zoombench history series` shows.
struct SeriesReport: Codable {
  static let currentSchema = "zoombench.series/1"

  var schema = SeriesReport.currentSchema
  var series: Series
  /// For each segment the places where its level changed.
  var changes: [[HistoryJudge.Change]]
  /// The steps of this case that were accepted.
  var acknowledgements: [Acknowledgement]

  init(_ series: Series, acknowledgements: [Acknowledgement], judge: HistoryJudge) throws {
    self.series = series
    changes = try series.segments.map { try judge.changes($0.points.map(\.value)) }
    self.acknowledgements = acknowledgements.filter { $0.name == series.name }
  }

  /// A spark line and a table for each segment.
  func rendered(isASCII: Bool, listsExcluded: Bool) -> String {
    var text =
      "\(Format.oneLine(series.name)), \(Format.oneLine(series.measure)), machine "
      + "\(Shortened.id(series.machine))\n"
    for (segment, changes) in zip(series.segments, changes) {
      let values = segment.points.map(\.value)
      text += "\n" + (segment.baseline.map { "baseline \(Shortened.commit($0)), " } ?? "")
      text += "\(values.count) runs, \(number(values.min() ?? 0)) to \(number(values.max() ?? 0))\n"
      text += "  \(SparkLine.rendered(values, isASCII: isASCII))\n"
      text += table(segment, changes).rendered(indent: "  ")
    }
    if listsExcluded {
      if !series.excluded.isEmpty { text += "\n" }
      for run in series.excluded {
        text += "left out: run \(Shortened.id(run.run)), \(Format.oneLine(run.reason))\n"
      }
    } else if !series.excluded.isEmpty {
      text += "\nleft out: \(series.excluded.count) (see which with --excluded)\n"
    }
    return text
  }

  private func table(_ segment: Series.Segment, _ changes: [HistoryJudge.Change]) -> TextTable {
    var table = TextTable(columns: [
      .left("run"), .left("revision"), .left("committed"), .left("value"), .left(""),
    ])
    for (index, point) in segment.points.enumerated() {
      let notes =
        changes.filter { $0.index == index }.map { change in
          "\(Format.change(change.ratio)) since \(Self.range(change.plausible, segment.points))"
        }
        + acknowledgements.filter { $0.run == point.run }.map { step in
          "accepted: \(Format.oneLine(step.reason))"
        }
      table.append([
        Shortened.id(point.run), Shortened.revision(point.revision),
        point.revision.committedAt ?? point.startedAt, number(point), notes.joined(separator: "; "),
      ])
    }
    return table
  }

  /// "last..first": the commits after the last sure to be before the change, up to the first sure
  /// to be after it.
  static func range(_ plausible: ClosedRange<Int>, _ points: [Series.Point]) -> String {
    let after = points[min(plausible.upperBound, points.count - 1)]
    guard plausible.lowerBound > 0 else { return "..\(Shortened.revision(after.revision))" }
    let before = points[plausible.lowerBound - 1]
    return "\(Shortened.revision(before.revision))..\(Shortened.revision(after.revision))"
  }

  private func number(_ value: Double) -> String {
    if case .counter = Measure(name: series.measure) { return Format.number(value) }
    return HistoryText.ratio(value)
  }

  private func number(_ point: Series.Point) -> String {
    if case .counter = Measure(name: series.measure) { return Format.number(point.value) }
    return HistoryText.ratio(point.value, point.lower, point.upper)
  }
}
