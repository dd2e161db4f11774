/// Median latency against picture size; the curve is flat if the cost depends only on the region shown.
enum SizeChart {
  struct Point {
    var pixels: Double
    var nanoseconds: Double
  }

  struct Curve {
    var name: String
    var colour: Int
    var points: [Point]
  }

  /// Draws one line per source on logarithmic axes; nil with fewer than two sizes.
  static func markup(_ curves: [Curve], title: String) -> Markup? {
    drawing(curves, title: title)?.markup
  }

  /// Draws what `markup` returns.
  static func drawing(_ curves: [Curve], title: String) -> SVGDrawing? {
    let points = curves.flatMap(\.points).filter { $0.pixels > 0 && $0.nanoseconds > 0 }
    guard Set(points.map(\.pixels)).count > 1 else { return nil }
    var frame = ChartFrame(
      title: title, summary: summary(curves), height: 190, left: 54,
      horizontal: ChartAxis(over: points.map(\.pixels), isLogarithmic: true).padded(0.05),
      vertical: ChartAxis(over: points.map(\.nanoseconds), isLogarithmic: true).padded(0.05),
      horizontalName: "size of the picture (both log scale)",
      horizontalLabel: { "\(Format.trimmed($0 / 1e6)) Mpx" },
      verticalLabel: { Format.durationTick($0) })
    for curve in curves {
      let style = SampleSeries.style(ofColour: curve.colour)
      var line = Path()
      var dots = Path()
      let sorted = curve.points.sorted { $0.pixels < $1.pixels }
      for (index, point) in sorted.enumerated() {
        let (x, y) = (frame.x(point.pixels), frame.y(point.nanoseconds))
        if index == 0 { line.move(x, y) } else { line.line(x, y) }
        dots.dot(x, y)
      }
      frame.drawing.path(line, style: "line dashed \(style)")
      frame.drawing.path(dots, style: "dot big \(style)")
    }
    return frame.drawing
  }

  private static func summary(_ curves: [Curve]) -> String {
    curves.compactMap { curve -> String? in
      let sorted = curve.points.sorted { $0.pixels < $1.pixels }
      guard let small = sorted.first, let large = sorted.last else { return nil }
      return "\(curve.name): \(Format.duration(small.nanoseconds)) on the smallest picture,"
        + " \(Format.duration(large.nanoseconds)) on the largest."
    }.joined(separator: " ")
  }
}
