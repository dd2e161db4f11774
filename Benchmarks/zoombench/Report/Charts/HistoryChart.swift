internal import MeasurementHistory

/// A number over the commits, with its intervals and levels.
enum HistoryChart {
  /// Draws points and their levels; nil without points.
  static func markup(
    _ points: [Series.Point], levels: [Range<Int>], title: String
  ) -> Markup? {
    guard !points.isEmpty else { return nil }
    let values = points.flatMap { [$0.value, $0.lower, $0.upper].compactMap { $0 } }
    var frame = ChartFrame(
      title: title, summary: summary(points, levels), left: 44,
      horizontal: ChartAxis(over: [-0.5, Double(points.count) - 0.5]),
      vertical: ChartAxis(over: values).padded(0.08), horizontalName: "run",
      horizontalLabel: { Format.trimmed($0 + 1) }, verticalLabel: { Format.trimmed($0) })
    var intervals = Path()
    var dots = Path()
    for (index, point) in points.enumerated() where point.value.isFinite {
      let x = frame.x(Double(index))
      dots.dot(x, frame.y(point.value))
      if let lower = point.lower, let upper = point.upper {
        intervals.move(x, frame.y(lower))
        intervals.vertical(frame.y(upper))
      }
    }
    frame.drawing.path(intervals, style: "line thin s0")
    draw(levels, of: points, in: &frame)
    frame.drawing.path(dots, style: "dot mid s0")
    return frame.drawing.markup
  }

  private static func draw(
    _ levels: [Range<Int>], of points: [Series.Point], in frame: inout ChartFrame
  ) {
    for (number, level) in levels.enumerated() {
      guard let median = median(of: points[level]) else { continue }
      let y = frame.y(median)
      let start = frame.x(Double(level.lowerBound) - 0.5)
      frame.drawing.line(start, y, frame.x(Double(level.upperBound) - 0.5), y, style: "level")
      if number > 0 {
        frame.drawing.line(start, frame.top, start, frame.bottom, style: "step")
        let commit = String(points[level.lowerBound].revision.commit.prefix(8))
        let isRight = start > frame.right - 70
        frame.drawing.text(
          SVGDrawing.fitted(commit, width: 64), start + (isRight ? -4 : 4), frame.top + 10,
          anchor: isRight ? .end : .start, style: "label")
      }
    }
  }

  /// Returns the median of a level's finite values.
  static func median(of points: ArraySlice<Series.Point>) -> Double? {
    let values = points.map(\.value).filter(\.isFinite).sorted()
    return values.isEmpty ? nil : values[values.count / 2]
  }

  private static func summary(_ points: [Series.Point], _ levels: [Range<Int>]) -> String {
    let levels = levels.compactMap { level in
      median(of: points[level]).map { "\(Format.significant($0)) over \(level.count) runs" }
    }
    return "\(points.count) runs; levels: " + levels.joined(separator: ", then ") + "."
  }
}
