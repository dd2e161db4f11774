internal import Foundation

/// Latency by position: which part of a picture is slow to peek at.
enum HeatMapChart {
  /// A peek: what it showed, as shares of the picture's width and height, and how long it took.
  ///
  /// One of no extent counts for the one cell in which it lies.
  struct Peek {
    var left: Double
    var right: Double
    var top: Double
    var bottom: Double
    var nanoseconds: Double
  }

  /// The grid of 16 by 12 cells is as fine as a chart shows; fewer peeks get larger cells.
  static let mostCells = 16 * 12

  /// A map's width in units.
  static let width = 150.0

  /// Draws for each cell the median of the peeks that showed any of it; nil where there is none.
  ///
  /// `aspect` is the picture's width over its height; `scale`, logarithmic, is the same for all maps
  /// of a picture.
  static func markup(
    _ peeks: [Peek], aspect: Double, scale: ChartAxis, title: String
  ) -> Markup? {
    drawing(peeks, aspect: aspect, scale: scale, title: title)?.markup
  }

  /// Draws what `markup` gives.
  static func drawing(
    _ peeks: [Peek], aspect: Double, scale: ChartAxis, title: String
  ) -> SVGDrawing? {
    guard !peeks.isEmpty else { return nil }
    let grid = grid(count: peeks.count, aspect: aspect)
    let medians = medians(peeks, grid)
    // A panorama or a tower would be a line; the map keeps the order of its cells, not its shape.
    let width = Self.width, height = min(max(width / aspect, 60), 170)
    var drawing = SVGDrawing(
      width: width, height: height, title: title, summary: summary(medians, grid), style: "map")
    drawing.rectangle(0, 0, width, height, style: "map-ground")
    var cells: [Int: Path] = [:]
    for (cell, median) in medians {
      let x = width * Double(cell % grid.columns) / Double(grid.columns)
      let y = height * Double(cell / grid.columns) / Double(grid.rows)
      // A hair more than the cell, so that no seam shows.
      cells[ColourMap.step(of: scale.share(of: median)), default: Path()].rectangle(
        x, y, width / Double(grid.columns) + 0.2, height / Double(grid.rows) + 0.2)
    }
    for (step, path) in cells.sorted(by: { $0.key < $1.key }) {
      drawing.path(path, colour: ColourMap.colour(step: step))
    }
    // The darkest cells are nearly a dark page's ground.
    drawing.rectangle(0.5, 0.5, width - 1, height - 1, style: "map-outline")
    return drawing
  }

  /// The medians of the cells that `drawing` draws, over which a scale can be made.
  static func cellMedians(_ peeks: [Peek], aspect: Double) -> [Double] {
    medians(peeks, grid(count: peeks.count, aspect: aspect)).map(\.median)
  }

  /// The legend of a scale: its colours over the numbers they stand for, as `label` writes them.
  static func legend(
    _ scale: ChartAxis, label: (Double) -> String = Format.durationTick
  ) -> SVGDrawing {
    let left = 12.0, width = ChartFrame.width - 24
    var drawing = SVGDrawing(
      width: ChartFrame.width, height: 34, title: "Colour scale",
      summary: "From \(Format.duration(scale.low)) to \(Format.duration(scale.high)), logarithmic.")
    for step in 0..<ColourMap.steps {
      var path = Path()
      let cell = width / Double(ColourMap.steps)
      path.rectangle(left + cell * Double(step), 2, cell + 0.4, 12)
      drawing.path(path, colour: ColourMap.colour(step: step))
    }
    for tick in scale.ticks(atMost: 5, label: label) {
      let x = left + width * scale.share(of: tick.value)
      drawing.line(x, 14, x, 18, style: "axis")
      // The outermost numbers must not reach out of the drawing.
      let half = SVGDrawing.width(of: tick.label) / 2
      drawing.text(
        tick.label, min(max(x, half), ChartFrame.width - half), 29, anchor: .middle, style: "tick")
    }
    return drawing
  }

  /// Cells for some peeks: about three peeks a cell, so that most cells have one.
  static func grid(count: Int, aspect: Double) -> (columns: Int, rows: Int) {
    let cells = Double(min(mostCells, max(1, count / 3)))
    let aspect = min(max(aspect, 0.25), 4)
    let columns = max(1, Int((cells * aspect).squareRoot().rounded()))
    return (columns, max(1, Int((cells / Double(columns)).rounded())))
  }

  private static func medians(
    _ peeks: [Peek], _ grid: (columns: Int, rows: Int)
  ) -> [(cell: Int, median: Double)] {
    /// The cells from where a peek begins to where it ends, which is not part of it.
    func cells(_ start: Double, _ end: Double, _ count: Int) -> ClosedRange<Int> {
      func index(_ share: Double) -> Int {
        min(count - 1, max(0, Int(min(max(share, 0), 1) * Double(count))))
      }
      let first = index(start)
      return first...max(first, index(end.nextDown))
    }
    var samples: [Int: [Double]] = [:]
    for peek in peeks {
      for row in cells(peek.top, peek.bottom, grid.rows) {
        for column in cells(peek.left, peek.right, grid.columns) {
          samples[row * grid.columns + column, default: []].append(peek.nanoseconds)
        }
      }
    }
    return samples.map { cell, times in (cell, times.sorted()[times.count / 2]) }
      .sorted { $0.cell < $1.cell }
  }

  private static func summary(
    _ medians: [(cell: Int, median: Double)], _ grid: (columns: Int, rows: Int)
  ) -> String {
    func place(_ cell: Int) -> String {
      "column \(cell % grid.columns + 1), row \(cell / grid.columns + 1)"
    }
    guard let fast = medians.min(by: { $0.median < $1.median }),
      let slow = medians.max(by: { $0.median < $1.median })
    else { return "" }
    return "\(medians.count) of \(grid.columns) x \(grid.rows) cells have peeks. Fastest:"
      + " \(Format.duration(fast.median)) in \(place(fast.cell)); slowest:"
      + " \(Format.duration(slow.median)) in \(place(slow.cell))."
  }
}

/// Viridis: a sequential map that rises evenly in lightness and is told apart by colour-blind eyes.
///
/// Twelve of its colours at even distances, from the table of Smith and van der Walt (matplotlib
/// 2.0, public domain), with straight lines between them; enough for the 24 steps drawn.
enum ColourMap {
  private static let anchors: [(Double, Double, Double)] = [
    (68, 1, 84), (72, 33, 115), (67, 62, 133), (56, 88, 140), (45, 112, 142), (37, 133, 142),
    (30, 155, 138), (42, 176, 127), (82, 197, 105), (134, 213, 73), (194, 223, 35), (253, 231, 37),
  ]

  /// Colours as many as an eye tells apart; cells of one colour share a path.
  static let steps = 24

  /// Which colour a share from zero to one has.
  static func step(of share: Double) -> Int { min(steps - 1, max(0, Int(share * Double(steps)))) }

  /// A colour as CSS writes it.
  static func colour(step: Int) -> String {
    let place = Double(step) / Double(steps - 1) * Double(anchors.count - 1)
    let index = min(anchors.count - 2, Int(place))
    let rest = place - Double(index)
    let (low, high) = (anchors[index], anchors[index + 1])
    let channels = [(low.0, high.0), (low.1, high.1), (low.2, high.2)]
    return "#"
      + channels.map { String(format: "%02x", Int(($0 + rest * ($1 - $0)).rounded())) }
      .joined()
  }
}
