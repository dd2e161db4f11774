internal import Measurement

/// The ratio of each pair over time, which shows drift, outliers and effects of the order.
enum PairChart {
  /// The most dots, beyond which they merge at the width of a chart.
  static let mostDots = 700

  /// Draws the pairs of some launches; nil without pairs.
  static func markup(
    _ launches: [PairedLaunch], on clock: PairedLaunch.Clock, estimate: ChangeEstimate,
    title: String
  ) -> Markup? {
    let launches = launches.sorted { $0.startNanoseconds < $1.startNanoseconds }
    let ratios: [[Double?]] = launches.map { launch in
      zip(launch.candidate.nanoseconds(clock), launch.base.nanoseconds(clock)).map {
        candidate, base in
        guard candidate > 0, base > 0 else { return nil }
        return Double(candidate) / Double(base)
      }
    }
    let all = ratios.joined().compactMap { $0 }.sorted()
    guard let axis = axis(over: all, estimate), !all.isEmpty else { return nil }
    let count = launches.map(\.pairs).reduce(0, +)
    var frame = ChartFrame(
      title: title, summary: summary(all, count, estimate), left: 44,
      horizontal: ChartAxis(over: [0, Double(max(1, count - 1))]), vertical: axis,
      horizontalName: "pair, in time order; a line at each launch",
      horizontalLabel: { Format.trimmed($0) }, verticalLabel: { Format.changeTick($0) })
    if let interval = estimate.interval {
      let top = frame.y(interval.upper), bottom = frame.y(interval.lower)
      frame.drawing.rectangle(
        frame.left, top, frame.right - frame.left, bottom - top, style: "band")
    }
    frame.drawing.line(frame.left, frame.y(1), frame.right, frame.y(1), style: "zero")
    drawPairs(launches, ratios, in: &frame)
    let change = frame.y(estimate.ratio)
    frame.drawing.line(frame.left, change, frame.right, change, style: "median-line")
    return frame.drawing.markup
  }

  private static func drawPairs(
    _ launches: [PairedLaunch], _ ratios: [[Double?]], in frame: inout ChartFrame
  ) {
    var dots = [false: Path(), true: Path()]
    var borders = Path()
    let count = launches.map(\.pairs).reduce(0, +)
    let step = (count + mostDots - 1) / mostDots
    var place = 0
    for (launch, values) in zip(launches, ratios) {
      if place > 0 {
        borders.move(frame.x(Double(place) - 0.5), frame.top)
        borders.vertical(frame.bottom)
      }
      for (value, candidateFirst) in zip(values, launch.candidateRanFirst) {
        if place.isMultiple(of: step), let value {
          dots[candidateFirst, default: Path()].dot(frame.x(Double(place)), frame.y(value))
        }
        place += 1
      }
    }
    frame.drawing.path(borders, style: "grid")
    for (candidateFirst, path) in dots.sorted(by: { !$0.key && $1.key }) {
      frame.drawing.path(path, style: "dot \(candidateFirst ? "s1" : "s0")")
    }
  }

  /// Returns an axis with the middle 96 % of the ratios, 1 and the estimate; other ratios are drawn at the
  /// edge.
  private static func axis(over ratios: [Double], _ estimate: ChangeEstimate) -> ChartAxis? {
    guard let last = ratios.indices.last else { return nil }
    let ends = [0.02, 0.98].map { ratios[Int((Double(last) * $0).rounded())] }
    let interval = estimate.interval.map { [$0.lower, $0.upper] } ?? []
    return ChartAxis(over: ends + interval + [1, estimate.ratio]).padded(0.06)
  }

  private static func summary(
    _ ratios: [Double], _ count: Int, _ estimate: ChangeEstimate
  ) -> String {
    "\(count) pairs; the estimated change is \(Format.estimate(estimate)); single pairs lie between"
      + " \(Format.change(ratios.first)) and \(Format.change(ratios.last))."
  }
}
