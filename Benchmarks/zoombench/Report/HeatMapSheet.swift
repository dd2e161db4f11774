internal import ZoomGeometry

/// The SVG of `bench --heat-map`: latency by position and by picture size.
struct HeatMapSheet {
  private let report: BenchReport
  private let panels: [Panel]

  /// One source under the conditions of a group.
  private struct Panel {
    let group: Int
    let source: String
    let median: Double
    let aspect: Double
    let peeks: [HeatMapChart.Peek]
  }

  init(_ report: BenchReport) {
    self.report = report
    panels = report.groups.enumerated().flatMap { number, group in
      let picture = report.pictures.first { $0.name == group.picture }
      return group.arms.compactMap { arm in
        picture.flatMap { Self.panel(number, group, arm, $0) }
      }
    }
  }

  /// Creates the panel of one arm; a peek counts for the cell that contains its centre.
  private static func panel(
    _ number: Int, _ group: BenchReport.Group, _ arm: BenchReport.Arm,
    _ picture: BenchReport.PictureFacts
  ) -> Panel? {
    guard let median = group.figures(of: arm)?.median else { return nil }
    let (width, height) = (Double(picture.width), Double(picture.height))
    let peeks = zip(group.rounds, arm.wallNanoseconds).map { round, nanoseconds in
      let x = (Double(round.region.x) + Double(round.region.width) / 2) / width
      let y = (Double(round.region.y) + Double(round.region.height) / 2) / height
      return HeatMapChart.Peek(
        left: x, right: x, top: y, bottom: y, nanoseconds: max(1, Double(nanoseconds)))
    }
    return Panel(
      group: number, source: arm.source, median: median, aspect: width / height, peeks: peeks)
  }

  /// The number of maps per row, which fill a page of a thousand points.
  private static let columns = 5
  private static let gap = 16.0
  private static let lineHeight = 18.0
  private static var width: Double { Double(columns) * (HeatMapChart.width + gap) + gap }

  func rendered() -> String {
    var sheet = SVGDrawing(
      width: Self.width, height: 0, title: "Latency by position and by picture size",
      summary: "A map for each source, its cells coloured by the median wall time of the peeks"
        + " whose centre lies there; then median wall time against the size of the picture.")
    var y = Self.gap
    draw("Latency by position: p50 of the peeks whose centre lies in a cell, log scale", &sheet, &y)
    for (number, group) in report.groups.enumerated() {
      // The picture's name comes last, because a long name is truncated.
      draw("\(group.condition.name), \(Format.shortName(group.picture))", &sheet, &y)
      let panels = panels.filter { $0.group == number }
      // The scale covers the cells, since one slow peek among thousands would flatten all maps. It is per
      // group: slow other pictures would hide the differences within this one.
      let scale = ChartAxis(
        over: panels.flatMap { HeatMapChart.cellMedians($0.peeks, aspect: $0.aspect) },
        isLogarithmic: true)
      let legend = HeatMapChart.legend(scale) { "\(Format.trimmed($0 / 1e6)) ms" }
      sheet.place(legend, Self.gap, y)
      y += legend.height + Self.gap
      draw(panels, of: group, scale, &sheet, &y)
    }
    for condition in report.conditions {
      let curves = report.sizeCurves(condition)
      let title = "Latency against picture size, \(condition.name)"
      guard let chart = SizeChart.drawing(curves, title: title) else { continue }
      draw("p50 against picture size: \(condition.name)", &sheet, &y)
      draw(chart, keys: curves, &sheet, &y)
    }
    sheet.height = y
    return sheet.file
  }

  /// Draws a line of text, truncated to fit into the sheet.
  private func draw(_ line: String, _ sheet: inout SVGDrawing, _ y: inout Double) {
    let shown = SVGDrawing.fitted(line, width: Self.width - 2 * Self.gap)
    sheet.text(shown, Self.gap, y + 12)
    y += Self.lineHeight
  }

  /// Draws the maps of a group, each above the name of its source.
  private func draw(
    _ panels: [Panel], of group: BenchReport.Group, _ scale: ChartAxis,
    _ sheet: inout SVGDrawing, _ y: inout Double
  ) {
    var tallest = 0.0
    for (place, panel) in panels.enumerated() {
      if place > 0, place.isMultiple(of: Self.columns) { y += tallest + 2 * Self.lineHeight }
      let title = "\(panel.source), \(Format.shortName(group.picture)), \(group.condition.name)"
      guard
        let map = HeatMapChart.drawing(
          panel.peeks, aspect: panel.aspect, scale: scale, title: title)
      else { continue }
      let x = Self.gap + Double(place % Self.columns) * (HeatMapChart.width + Self.gap)
      sheet.place(map, x, y)
      tallest = map.height
      let caption = "\(panel.source): \(Format.significant(panel.median / 1e6)) ms"
      sheet.text(
        SVGDrawing.fitted(caption, width: HeatMapChart.width), x, y + map.height + 14, style: "tick"
      )
    }
    y += tallest + 2 * Self.lineHeight
  }

  /// Draws a chart of sizes with its legend beside it.
  private func draw(
    _ chart: SVGDrawing, keys curves: [SizeChart.Curve], _ sheet: inout SVGDrawing,
    _ y: inout Double
  ) {
    sheet.place(chart, Self.gap, y)
    let left = Self.gap + chart.width + Self.gap
    for (number, curve) in curves.enumerated() {
      let middle = y + 12 + Double(number) * Self.lineHeight
      sheet.line(
        left, middle, left + 34, middle,
        style: "line dashed \(SampleSeries.style(ofColour: curve.colour))")
      sheet.text(
        SVGDrawing.fitted(curve.name, width: Self.width - left - 60), left + 42, middle + 4)
    }
    y += max(chart.height, Double(curves.count) * Self.lineHeight) + Self.gap
  }
}
