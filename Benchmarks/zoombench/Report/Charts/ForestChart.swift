internal import Measurement

/// Changes with their intervals, one per row, and the margins of the decision.
enum ForestChart {
  struct Row {
    var name: String
    var estimate: ChangeEstimate
    var verdict: Verdict
  }

  /// The layout: names beside the intervals, or above them on a narrow screen.
  enum Layout {
    case wide, narrow

    fileprivate var width: Double { self == .wide ? 1080 : ChartFrame.width }
    fileprivate var left: Double { self == .wide ? 300 : 12 }
    fileprivate var right: Double { self == .wide ? 890 : 318 }
    fileprivate var rowHeight: Double { self == .wide ? 24 : 50 }
    fileprivate var style: String { self == .wide ? "only-wide" : "only-narrow" }
  }

  /// Draws both layouts; the page shows the one that suits the screen.
  static func markup(_ rows: [Row], settings: GateSettings, title: String) -> Markup? {
    guard !rows.isEmpty else { return nil }
    return markup(rows, settings, title, .wide) + markup(rows, settings, title, .narrow)
  }

  private static func markup(
    _ rows: [Row], _ settings: GateSettings, _ title: String, _ layout: Layout
  ) -> Markup {
    let axis = axis(rows, settings)
    let top = 22.0
    let bottom = top + layout.rowHeight * Double(rows.count)
    func x(_ ratio: Double) -> Double {
      layout.left + axis.share(of: ratio) * (layout.right - layout.left)
    }
    var drawing = SVGDrawing(
      width: layout.width, height: bottom + 24, title: title, summary: summary(rows),
      style: layout.style)
    let margins = [
      (1 + settings.sameMargin, "margin-same"), (1 + settings.margin, "margin-slower"),
    ]
    for (bound, style) in margins where bound.isFinite && bound >= 1 {
      drawing.rectangle(x(1 / bound), top, x(bound) - x(1 / bound), bottom - top, style: style)
    }
    for tick in axis.ticks(atMost: layout == .wide ? 9 : 5, label: { Format.changeTick($0) }) {
      drawing.line(x(tick.value), top, x(tick.value), bottom + 3, style: "grid")
      let half = SVGDrawing.width(of: tick.label) / 2
      let middle = min(max(x(tick.value), half), layout.width - half)
      drawing.text(tick.label, middle, bottom + 16, anchor: .middle, style: "tick")
    }
    drawing.line(x(1), top, x(1), bottom, style: "zero")
    // Near an end of the axis, only one of the two labels fits.
    if x(1) - 8 >= SVGDrawing.width(of: "faster ←") {
      drawing.text("faster ←", x(1) - 8, top - 8, anchor: .end, style: "tick")
    }
    if x(1) + 8 + SVGDrawing.width(of: "→ slower") <= layout.width {
      drawing.text("→ slower", x(1) + 8, top - 8, style: "tick")
    }
    for (index, row) in rows.enumerated() {
      let above = top + layout.rowHeight * Double(index)
      draw(row, in: &drawing, layout: layout, above: above, axis: axis, x: x)
    }
    return drawing.markup
  }

  private static func draw(
    _ row: Row, in drawing: inout SVGDrawing, layout: Layout, above: Double, axis: ChartAxis,
    x: (Double) -> Double
  ) {
    let middle = above + (layout == .wide ? 12 : 39)
    let text = Format.estimate(row.estimate)
    if layout == .wide {
      drawing.text(
        SVGDrawing.fitted(row.name, width: layout.left - 16), layout.left - 10, middle + 4,
        anchor: .end, style: "label")
      drawing.text(text, layout.right + 12, middle + 4, style: "label")
    } else {
      drawing.text(SVGDrawing.fitted(row.name, width: 300), 12, above + 14, style: "label")
      drawing.text(text, 12, above + 28, style: "tick")
    }
    let style = "verdict-\(row.verdict.rawValue)"
    if let interval = row.estimate.interval {
      let (low, high) = (x(interval.lower), x(interval.upper))
      drawing.line(low, middle, high, middle, style: "interval \(style)")
      // An end beyond the axis is drawn without a cap.
      if interval.lower >= axis.low {
        drawing.line(low, middle - 4, low, middle + 4, style: "interval \(style)")
      }
      if interval.upper <= axis.high {
        drawing.line(high, middle - 4, high, middle + 4, style: "interval \(style)")
      }
    }
    var dot = Path()
    dot.dot(x(row.estimate.ratio), middle)
    drawing.path(dot, style: "estimate \(style)")
  }

  /// Returns an axis with all estimates and both margins; an interval is clipped if it extends to more than
  /// twice that range.
  private static func axis(_ rows: [Row], _ settings: GateSettings) -> ChartAxis {
    let same = 1 + settings.sameMargin
    let estimates: [Double] = rows.map(\.estimate.ratio) + [1 / same, same]
    let usable = estimates.filter { $0.isFinite && $0 > 0 }
    let low = usable.min() ?? 1
    let high = usable.max() ?? 1
    let least = 1 - 2 * (1 - low)
    let most = 1 + 2 * (high - 1)
    let ends = rows.compactMap(\.estimate.interval).flatMap { [$0.lower, $0.upper] }
      .filter { $0 >= least && $0 <= most }
    return ChartAxis(over: usable + ends).padded(0.03)
  }

  private static func summary(_ rows: [Row]) -> String {
    let counts = Verdict.allCases.map { verdict in
      "\(rows.count { $0.verdict == verdict }) \(verdict.rawValue)"
    }
    return "\(rows.count) cases: " + counts.joined(separator: ", ") + "."
  }
}
