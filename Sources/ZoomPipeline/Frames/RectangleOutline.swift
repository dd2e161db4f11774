internal import ZoomGeometry

/// A line centred on the border of a rectangle along the screen's edges, with sharp corners.
struct RectangleOutline: Shape {
  let bounds: PixelBox?
  private let outer: Sides
  private let inner: Sides

  /// Makes the shape; nil when nothing of it is on the screen.
  /// - Parameters:
  ///   - rect: in points.
  ///   - width: of the line, in points.
  ///   - screen: what is drawn on.
  init?(_ rect: ViewRect, width: Double, on screen: Screen) {
    let (outer, inner) = (rect.grown(by: width / 2), rect.grown(by: -width / 2))
    guard width > 0, rect.width >= 0, rect.height >= 0,
      let touched = screen.touched(by: outer.scaled(by: screen.scale))
    else { return nil }
    self.outer = Sides(outer.scaled(by: screen.scale))
    // A line wider than the rectangle fills it.
    self.inner = Sides(inner.scaled(by: screen.scale))
    bounds = PixelBox(touched)
  }

  /// What the outer rectangle covers less what the inner one does: exact, for both are products.
  func cover(row: Int, _ coverage: inout CoverageRow) {
    guard let columns = bounds?.columns else { return }
    let outerRow = outer.down(row)
    let innerRow = inner.down(row)
    // Columns in the middle of both look all alike.
    let core = inner.core.clamped(to: columns)
    for part in [columns.lowerBound..<core.lowerBound, core.upperBound..<columns.upperBound] {
      for column in part {
        coverage[column] = CoverageRow.coverage(
          outer.across(column) * outerRow - inner.across(column) * innerRow)
      }
    }
    coverage.columns = columns
    coverage.inside = core
    coverage.insideValue = CoverageRow.coverage(outerRow - innerRow)
  }

  /// The edges of a rectangle in pixels.
  private struct Sides: Sendable {
    let left, right, top, bottom: Double

    init(_ rect: ViewRect) {
      (left, right, top, bottom) = (rect.x, rect.maxX, rect.y, rect.maxY)
    }

    /// The share of a column that lies between left and right.
    func across(_ column: Int) -> Double { Self.share(column, left, right) }

    /// The share of a row that lies between top and bottom.
    func down(_ row: Int) -> Double { Self.share(row, top, bottom) }

    private static func share(_ pixel: Int, _ from: Double, _ to: Double) -> Double {
      max(0, min(Double(pixel) + 1, to) - max(Double(pixel), from))
    }

    /// The columns that lie between whole; empty for none.
    var core: Range<Int> {
      // Clipped to what a screen can have before they become integers.
      let limit = Double(Screen.maximumSide)
      let first = Int(min(max(left.rounded(.up), 0), limit))
      let end = Int(min(max(right.rounded(.down), 0), limit))
      return first < end ? first..<end : 0..<0
    }
  }
}

extension ViewRect {
  /// The rectangle with its edges moved outwards by so many points; its centre stays.
  func grown(by margin: Double) -> ViewRect {
    ViewRect(
      x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
  }

  /// The rectangle with every number multiplied.
  func scaled(by factor: Double) -> ViewRect {
    ViewRect(x: x * factor, y: y * factor, width: width * factor, height: height * factor)
  }
}
