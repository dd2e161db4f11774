#if canImport(Darwin)
  import Darwin
#else
  internal import Foundation
#endif

/// The density of each series' samples, mirrored, with the quartiles and the median.
enum ViolinChart {
  private static let rowHeight = 44.0
  private static let gridPoints = 56
  /// The most samples used; a few hundred determine a density.
  private static let mostSamples = 300

  /// Draws one row per series over a logarithmic time axis; nil without samples.
  static func markup(_ series: [SampleSeries], title: String) -> Markup? {
    let shown = series.filter { !$0.samples.isEmpty }
    guard !shown.isEmpty else { return nil }
    let ends = shown.flatMap { one in
      [0.01, 0.99].compactMap { one.quantile($0) }
    }
    let axis = ChartAxis(over: ends, isLogarithmic: true).padded(0.06)
    var frame = ChartFrame(
      title: title, summary: summary(shown), height: rowHeight * Double(shown.count), left: 10,
      horizontal: axis, vertical: ChartAxis(over: [0, 1]), horizontalName: "",
      horizontalLabel: { Format.durationTick($0) }, verticalLabel: { _ in "" })
    for (row, one) in shown.enumerated() {
      draw(one, at: frame.top + rowHeight * (Double(row) + 0.5) + 6, over: axis, in: &frame)
      frame.drawing.text(
        SVGDrawing.fitted(one.name, width: 300), 12, frame.top + rowHeight * Double(row) + 10,
        style: "label")
    }
    return frame.drawing.markup
  }

  private static func draw(
    _ series: SampleSeries, at middle: Double, over axis: ChartAxis, in frame: inout ChartFrame
  ) {
    let outline = density(of: series, over: axis)
    let peak = max(outline.map(\.density).max() ?? 1, .leastNormalMagnitude)
    // Tails below 1/200 of the peak are thinner than the outline.
    let visible = outline.filter { $0.density > peak / 200 }
    var path = Path()
    func half(_ density: Double) -> Double { 14 * density / peak }
    for (index, point) in visible.enumerated() {
      let x = frame.x(point.value), y = middle - half(point.density)
      if index == 0 { path.move(x, y) } else { path.line(x, y) }
    }
    for point in visible.reversed() {
      path.line(frame.x(point.value), middle + half(point.density))
    }
    if visible.count > 1 {
      path.close()
      frame.drawing.path(path, style: "violin \(series.style)")
    }
    guard let low = series.quantile(0.25), let high = series.quantile(0.75),
      let median = series.median
    else { return }
    frame.drawing.line(frame.x(low), middle, frame.x(high), middle, style: "quartiles")
    frame.drawing.line(
      frame.x(median), middle - 7, frame.x(median), middle + 7, style: "median")
  }

  /// Returns a Gaussian kernel density of the logarithms over the axis.
  ///
  /// The bandwidth is Silverman's rule of thumb, 0.9 min(s, IQR / 1.34) n^(-1/5) ("Density Estimation for
  /// Statistics and Data Analysis", 1986, 3.31), but at least a hundredth of the axis, since less is
  /// invisible.
  private static func density(
    of series: SampleSeries, over axis: ChartAxis
  ) -> [(value: Double, density: Double)] {
    let samples = series.thinned(to: mostSamples).map { log($0) }
    let span = log(axis.high / axis.low)
    let mean = samples.reduce(0, +) / Double(samples.count)
    let variance = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(samples.count)
    let quartiles = [0.25, 0.75].map { samples[Int(Double(samples.count - 1) * $0)] }
    let spread = min(variance.squareRoot(), (quartiles[1] - quartiles[0]) / 1.34)
    let width = max(0.9 * spread * pow(Double(samples.count), -0.2), span / 100)
    return (0...gridPoints).map { step in
      let place = log(axis.low) + span * Double(step) / Double(gridPoints)
      let sum = samples.reduce(0) {
        $0 + exp(-0.5 * (($1 - place) / width) * (($1 - place) / width))
      }
      return (exp(place), sum)
    }
  }

  private static func summary(_ series: [SampleSeries]) -> String {
    series.map { one in
      "\(one.name): the middle half of \(one.samples.count) samples lies between"
        + " \(Format.duration(one.quantile(0.25))) and \(Format.duration(one.quantile(0.75)))."
    }.joined(separator: " ")
  }
}
