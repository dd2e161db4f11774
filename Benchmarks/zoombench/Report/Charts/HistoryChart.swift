/// A number over the commits, with its intervals and the levels between steps.
enum HistoryChart {
  /// Draws the last points of a series; nil for an empty one.
  static func markup(_ series: HistorySeries, title: String) -> Markup? {
    let points = series.points
    guard !points.isEmpty else { return nil }
    let values = points.flatMap { [$0.value, $0.lower, $0.upper].compactMap { $0 } }
    var frame = ChartFrame(
      title: title, summary: summary(series), left: 44,
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
    drawSegments(series, in: &frame)
    frame.drawing.path(dots, style: "dot mid s0")
    return frame.drawing.markup
  }

  private static func drawSegments(_ series: HistorySeries, in frame: inout ChartFrame) {
    for (number, segment) in series.segments.enumerated() {
      guard let median = median(of: series, in: segment) else { continue }
      let y = frame.y(median)
      let start = frame.x(Double(segment.lowerBound) - 0.5)
      frame.drawing.line(start, y, frame.x(Double(segment.upperBound) - 0.5), y, style: "level")
      if number > 0 {
        frame.drawing.line(start, frame.top, start, frame.bottom, style: "step")
        let commit = String(series.points[segment.lowerBound].commit.prefix(8))
        let isRight = start > frame.right - 70
        frame.drawing.text(
          SVGDrawing.fitted(commit, width: 64), start + (isRight ? -4 : 4), frame.top + 10,
          anchor: isRight ? .end : .start, style: "label")
      }
    }
  }

  /// The median of a segment's finite values.
  static func median(of series: HistorySeries, in segment: Range<Int>) -> Double? {
    let values = series.points[segment].map(\.value).filter(\.isFinite).sorted()
    return values.isEmpty ? nil : values[values.count / 2]
  }

  private static func summary(_ series: HistorySeries) -> String {
    let levels = series.segments.compactMap { segment in
      median(of: series, in: segment).map { "\(Format.significant($0)) over \(segment.count) runs" }
    }
    return "\(series.points.count) runs; levels: " + levels.joined(separator: ", then ") + "."
  }
}
