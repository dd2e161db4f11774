internal import Measurement
internal import MeasurementHistory

/// A series with its changes, as `zoombench history series` shows it.
struct SeriesReport: Sendable, Codable {
  static let currentSchema = "zoombench.series/1"

  var schema = SeriesReport.currentSchema
  var series: Series
  /// For each segment, the points at which its level changed.
  var changes: [[ChangePoint]]
  var acceptances: [Acceptance]

  init(_ series: Series, acceptances: [Acceptance] = []) throws {
    self.series = series
    changes = try series.segments.map { try ChangePoints.find(in: $0.points.map(\.value)) }
    self.acceptances = acceptances.filter { $0.name == series.name }
  }

  /// Returns the newest segment of every case that a machine has measured.
  ///
  /// Runs against another baseline form a separate series.
  static func all(in store: HistoryStore, machine: String) throws -> [SeriesReport] {
    try store.caseNames(machine: machine).compactMap { name in
      for measure in Measure.judged {
        var series = try store.series(case: name, measure: measure, machine: machine)
        series.segments = series.segments.suffix(1)
        if !series.segments.isEmpty { return try SeriesReport(series) }
      }
      return nil
    }
  }

  /// Returns a spark line and a table for each segment.
  func rendered(listsExcluded: Bool) -> String {
    var text =
      "\(Format.oneLine(series.name)), \(Format.oneLine(series.measure)), machine "
      + "\(Shortened.id(series.machine))\n"
    for (segment, changes) in zip(series.segments, changes) {
      let values = segment.points.map(\.value)
      text += "\n" + (segment.baseline.map { "baseline \(Shortened.commit($0)), " } ?? "")
      text += Format.count(values.count, "run")
      text += ", \(number(values.min() ?? 0)) to \(number(values.max() ?? 0))\n"
      text += "  \(SparkLine.rendered(values))\n"
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

  private func table(_ segment: Series.Segment, _ changes: [ChangePoint]) -> TextTable {
    var table = TextTable(columns: [
      .left("run"), .left("revision"), .left("committed"), .left("value"), .left(""),
    ])
    for (index, point) in segment.points.enumerated() {
      let notes =
        changes.filter { $0.index == index }.map { change in
          "\(Format.change(change.ratio)) since \(Self.range(change.plausible, segment.points))"
        }
        + acceptances.filter { $0.run == point.run }.map { step in
          "accepted: \(Format.oneLine(step.reason))"
        }
      table.append([
        Shortened.id(point.run), Shortened.revision(point.revision),
        point.revision.committedAt ?? point.startedAt,
        number(point.value, point.lower, point.upper), notes.joined(separator: "; "),
      ])
    }
    return table
  }

  /// Returns "last..first": the last commit certainly before the change and the first certainly after it.
  static func range(_ plausible: ClosedRange<Int>, _ points: [Series.Point]) -> String {
    let after = points[min(plausible.upperBound, points.count - 1)]
    guard plausible.lowerBound > 0 else { return "..\(Shortened.revision(after.revision))" }
    let before = points[plausible.lowerBound - 1]
    return "\(Shortened.revision(before.revision))..\(Shortened.revision(after.revision))"
  }

  private func number(
    _ value: Double, _ lower: Double? = nil, _ upper: Double? = nil
  ) -> String {
    if case .counter = Measure(name: series.measure) { return Format.number(value) }
    return HistoryText.ratio(value, lower, upper)
  }
}

/// Draws a series as a line of blocks whose heights show the values.
enum SparkLine {
  /// The blocks in eighths (Unicode 2581 to 2588).
  private static let blocks = Array("▁▂▃▄▅▆▇█")

  /// The number of values that fit on a line.
  static let mostValues = 60

  /// Draws the newest values, scaled from the least to the greatest.
  ///
  /// Equal values have middle height.
  static func rendered(_ values: [Double]) -> String {
    let shown = values.suffix(mostValues)
    guard let least = shown.min(), let greatest = shown.max() else { return "" }
    return String(
      shown.map { value in
        // Halved first, because the difference of two finite numbers may be infinite.
        let share = (value / 2 - least / 2) / (greatest / 2 - least / 2)
        guard share.isFinite else { return blocks[blocks.count / 2 - 1] }
        return blocks[min(blocks.count - 1, Int(share * Double(blocks.count)))]
      })
  }
}
