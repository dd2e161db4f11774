internal import Foundation

/// Latency by position in a picture.
enum HeatMapChart {
  /// A peek: the region it showed, as shares of the picture's width and height, and the time it took.
  ///
  /// A peek without extent counts for the cell that contains it.
  struct Peek {
    var left: Double
    var right: Double
    var top: Double
    var bottom: Double
    var nanoseconds: Double
  }

  /// The finest grid, 16 by 12 cells; with fewer peeks, cells are larger.
  static let mostCells = 16 * 12

  /// A map's width in units.
  static let width = 150.0

  /// Draws for each cell the median of the peeks that overlap it; nil without peeks.
  ///
  /// `aspect` is the picture's width divided by its height; `scale`, logarithmic, is the same for all maps
  /// of a picture.
  static func markup(
    _ peeks: [Peek], aspect: Double, scale: ChartAxis, title: String
  ) -> Markup? {
    drawing(peeks, aspect: aspect, scale: scale, title: title)?.markup
  }

  /// Draws what `markup` returns.
  static func drawing(
    _ peeks: [Peek], aspect: Double, scale: ChartAxis, title: String
  ) -> SVGDrawing? {
    guard !peeks.isEmpty else { return nil }
    let grid = grid(count: peeks.count, aspect: aspect)
    let medians = medians(peeks, grid)
    // Clamped, because a panorama or a tower would become a line; the map need not have the picture's shape.
    let width = Self.width, height = min(max(width / aspect, 60), 170)
    var drawing = SVGDrawing(
      width: width, height: height, title: title, summary: summary(medians, grid), style: "map")
    drawing.rectangle(0, 0, width, height, style: "map-ground")
    var cells: [Int: Path] = [:]
    for (cell, median) in medians {
      let x = width * Double(cell % grid.columns) / Double(grid.columns)
      let y = height * Double(cell / grid.columns) / Double(grid.rows)
      // Slightly larger than the cell, to avoid visible seams.
      cells[ColourMap.step(of: scale.share(of: median)), default: Path()].rectangle(
        x, y, width / Double(grid.columns) + 0.2, height / Double(grid.rows) + 0.2)
    }
    for (step, path) in cells.sorted(by: { $0.key < $1.key }) {
      drawing.path(path, colour: ColourMap.colour(step: step))
    }
    // The outline is needed because the darkest cells look like the background of a dark page.
    drawing.rectangle(0.5, 0.5, width - 1, height - 1, style: "map-outline")
    return drawing
  }

  /// Returns the medians of the cells in `drawing`, as the range of a scale.
  static func cellMedians(_ peeks: [Peek], aspect: Double) -> [Double] {
    medians(peeks, grid(count: peeks.count, aspect: aspect)).map(\.median)
  }

  /// Draws the legend of a scale: its colours, with the values labelled by `label`.
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
      // The outermost numbers must stay inside the drawing.
      let half = SVGDrawing.width(of: tick.label) / 2
      drawing.text(
        tick.label, min(max(x, half), ChartFrame.width - half), 29, anchor: .middle, style: "tick")
    }
    return drawing
  }

  /// Returns a grid with about three peeks per cell, so that most cells have one.
  static func grid(count: Int, aspect: Double) -> (columns: Int, rows: Int) {
    let cells = Double(min(mostCells, max(1, count / 3)))
    let aspect = min(max(aspect, 0.25), 4)
    let columns = max(1, Int((cells * aspect).squareRoot().rounded()))
    return (columns, max(1, Int((cells / Double(columns)).rounded())))
  }

  private static func medians(
    _ peeks: [Peek], _ grid: (columns: Int, rows: Int)
  ) -> [(cell: Int, median: Double)] {
    /// Returns the cells from a peek's start up to, but excluding, its end.
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

/// Viridis: a sequential map with evenly increasing lightness that colour-blind people can read.
///
/// Twelve of its colours at equal distances, from the table of Smith and van der Walt (matplotlib 2.0, public
/// domain), interpolated linearly, which is enough for the 24 steps drawn.
enum ColourMap {
  private static let anchors: [(Double, Double, Double)] = [
    (68, 1, 84), (72, 33, 115), (67, 62, 133), (56, 88, 140), (45, 112, 142), (37, 133, 142),
    (30, 155, 138), (42, 176, 127), (82, 197, 105), (134, 213, 73), (194, 223, 35), (253, 231, 37),
  ]

  /// The number of distinguishable colours; cells of one colour share a path.
  static let steps = 24

  /// Returns the colour index for a share from zero to one.
  static func step(of share: Double) -> Int { min(steps - 1, max(0, Int(share * Double(steps)))) }

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
