/// A drawing with axes around a plot, as wide as a phone screen.
struct ChartFrame {
  /// 330 units: a phone's 360 points without the margins.
  static let width = 330.0

  var drawing: SVGDrawing
  let left: Double
  let right: Double
  let top: Double
  let bottom: Double
  private let horizontal: ChartAxis
  private let vertical: ChartAxis

  /// Draws the grid of the axes and their numbers.
  ///
  /// `height` is the plot's height without the axis below. `left` is the left edge of the plot, moved right
  /// if the vertical axis' numbers need the space. An axis with an empty label gets no grid.
  init(
    title: String, summary: String, height: Double = 150, left: Double = 44,
    horizontal: ChartAxis, vertical: ChartAxis, horizontalName: String,
    horizontalLabel: (Double) -> String, verticalLabel: (Double) -> String
  ) {
    let numbers = vertical.ticks(atMost: 6, label: verticalLabel).filter { !$0.label.isEmpty }
    let left = max(left, (numbers.map { SVGDrawing.width(of: $0.label) }.max() ?? 0) + 6)
    self.left = left
    self.horizontal = horizontal
    self.vertical = vertical
    right = Self.width - 12
    top = 12
    bottom = 12 + height
    drawing = SVGDrawing(
      width: Self.width, height: bottom + (horizontalName.isEmpty ? 20 : 34), title: title,
      summary: summary)
    for tick in numbers {
      let y = self.y(tick.value)
      drawing.line(left, y, right, y, style: "grid")
      drawing.text(tick.label, left - 5, y + 4, anchor: .end, style: "tick")
    }
    // A number that would overlap the previous one is omitted; its line stays.
    var end = -Double.infinity
    for tick in horizontal.ticks(atMost: 5, label: horizontalLabel) {
      let x = self.x(tick.value)
      drawing.line(x, top, x, bottom + 3, style: "grid")
      // The outermost numbers must stay inside the drawing.
      let half = SVGDrawing.width(of: tick.label) / 2
      let middle = min(max(x, half + 2), Self.width - half - 2)
      guard middle - half > end + 6 else { continue }
      end = middle + half
      drawing.text(tick.label, middle, bottom + 15, anchor: .middle, style: "tick")
    }
    drawing.line(left, bottom, right, bottom, style: "axis")
    if !horizontalName.isEmpty {
      drawing.text(
        horizontalName, (left + right) / 2, bottom + 30, anchor: .middle, style: "axis-name")
    }
  }

  func x(_ value: Double) -> Double { left + horizontal.share(of: value) * (right - left) }

  func y(_ value: Double) -> Double { bottom - vertical.share(of: value) * (bottom - top) }
}
