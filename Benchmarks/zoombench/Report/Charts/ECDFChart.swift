/// The share of samples up to each time; it uses every sample and no bins.
enum ECDFChart {
  /// The number of steps, at which a curve looks like its samples at the width of a chart.
  private static let steps = 160

  /// Draws one curve per series over a logarithmic time axis; nil without samples.
  static func markup(_ series: [SampleSeries], title: String) -> Markup? {
    let shown = series.filter { !$0.samples.isEmpty }
    guard !shown.isEmpty else { return nil }
    // The axis ends at the 99th percentiles, because the slowest samples would compress the rest.
    let ends = shown.flatMap { [$0.samples[0], $0.quantile(0.99)].compactMap { $0 } }
    let axis = ChartAxis(over: ends, isLogarithmic: true).padded(0.04)
    var frame = ChartFrame(
      title: title, summary: summary(shown), left: 44, horizontal: axis,
      vertical: ChartAxis(over: [0, 1]), horizontalName: "wall time of one peek (log scale)",
      horizontalLabel: { Format.durationTick($0) }, verticalLabel: { Format.percent($0) })
    // Colour distinguishes two curves; more than two may overlap, so they are dashed.
    let style = shown.count > 2 ? "line dashed" : "line"
    for one in shown {
      frame.drawing.path(curve(of: one, in: frame), style: "\(style) \(one.style)")
    }
    return frame.drawing.markup
  }

  private static func curve(of series: SampleSeries, in frame: ChartFrame) -> Path {
    var path = Path()
    let samples = series.thinned(to: steps)
    path.move(frame.x(samples[0]), frame.y(0))
    for (index, sample) in samples.enumerated() {
      path.horizontal(frame.x(sample))
      path.vertical(frame.y(Double(index + 1) / Double(samples.count)))
    }
    path.horizontal(frame.right)
    return path
  }

  private static func summary(_ series: [SampleSeries]) -> String {
    series.map { one in
      "\(one.name): half of \(one.samples.count) samples took at most"
        + " \(Format.duration(one.median)), nine in ten \(Format.duration(one.quantile(0.9)))."
    }.joined(separator: " ")
  }
}
