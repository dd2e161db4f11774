internal import ZoomGeometry
internal import ZoomLaws

extension Inspection {
  /// The side of a cell in device pixels.
  ///
  /// A block is two cells wide and high, and blocks overlap.
  private static var cell: Int { 24 }

  /// Sums over the pixels of a cell or a block.
  private struct Sums {
    /// The products of the expected gradient: xx, xy, yy; those with the difference: x, y; the
    /// differences of the codes: across, down; the number of pixels.
    var sums = SIMD8<Float>.zero
    /// The squared differences from the expected colours and from the former card's.
    var squares = SIMD2<Float>.zero

    static func + (one: Sums, other: Sums) -> Sums {
      Sums(sums: one.sums + other.sums, squares: one.squares + other.squares)
    }
  }

  /// Finds displaced blocks by their texture, and on the card by their colours, too.
  ///
  /// The texture measures parts of a pixel, the colours whole tiles: a tile of the neighbouring
  /// column has another texture, which yields no displacement that means anything.
  func compareBlocks(_ checks: inout SightChecks, former: PlanePyramid?) {
    let (columns, rows) = (width / Self.cell, height / Self.cell)
    guard columns > 1, rows > 1 else { return }
    let cells = cellSums(columns, rows, former: former)
    for row in 0..<rows - 1 {
      for column in 0..<columns - 1 {
        let at = row * columns + column
        let upper = cells[at] + cells[at + 1]
        let block = upper + (cells[at + columns] + cells[at + columns + 1])
        let count = Double(block.sums[7])
        // A gap of one pixel and its surroundings take a tenth of a block.
        guard count >= 0.75 * Double(4 * Self.cell * Self.cell) else { continue }
        let (x, y) = ((column + 1) * Self.cell, (row + 1) * Self.cell)
        func note(_ distance: Double, _ shift: inout SightChecks.Shift) {
          if distance > shift.px { shift = SightChecks.Shift(px: distance, x: x, y: y) }
        }
        if let distance = Self.displacement(block.sums) { note(distance, &checks.shift) }
        if mask != nil { note(wrongness(block.sums, count), &checks.wrongPlace) }
        if former != nil, block.squares.y * 4 < block.squares.x { checks.formerBlocks += 1 }
      }
    }
  }

  /// Returns the displacement of a block by Lucas and Kanade, 1981; nil without enough texture.
  ///
  /// On sound views it is at most 0.1 px. A tile moved by 1 px yields 1.03, one by 0.5 px 0.52.
  private static func displacement(_ sums: SIMD8<Float>) -> Double? {
    let (xx, xy, yy) = (Double(sums[0]), Double(sums[1]), Double(sums[2]))
    let difference = (xx - yy) / 2
    let least = (xx + yy) / 2 - (difference * difference + xy * xy).squareRoot()
    // Rounding to levels leaves an error of 0.15 in smoothed colours: 0.04 px with this texture.
    guard least >= 12 else { return nil }
    let (xr, yr) = (Double(sums[3]), Double(sums[4]))
    let determinant = xx * yy - xy * xy
    let moved = ViewPoint(
      x: (yy * xr - xy * yr) / determinant, y: (xx * yr - xy * xr) / determinant)
    // Beyond a cell the linear estimate only says that the block shows something else.
    return min(moved.length, Double(cell))
  }

  /// Returns the distance between the places that a block's colours name and those expected.
  ///
  /// The codes of a pixel are differences of rounded levels, each with an error of 0.29: together
  /// 0.41 levels. Four deviations of their mean do not count.
  private func wrongness(_ sums: SIMD8<Float>, _ count: Double) -> Double {
    let noise = 4 * 0.41 / count.squareRoot()
    let across = max(abs(Double(sums[5])) / count - noise, 0) * Double(picture.width)
    let down = max(abs(Double(sums[6])) / count - noise, 0) * Double(picture.height)
    return ViewPoint(x: across, y: down).length / PlaceCard.codeRange * scale
  }

  private func cellSums(_ columns: Int, _ rows: Int, former: PlanePyramid?) -> [Sums] {
    let (got, wanted) = (seen.smoothed(), expected.smoothed())
    let screen = ScreenWindow(x: 0, y: 0, width: width, height: height)
    let old = former.map { $0.expected(map, in: screen).smoothed() }
    let inner = mask?.eroded(by: 2)
    var cells = [Sums](repeating: Sums(), count: columns * rows)
    for y in 1..<min(height - 1, rows * Self.cell) {
      for x in 1..<min(width - 1, columns * Self.cell) {
        let at = y &* width &+ x
        guard isInside(at, by: 3), inner?.isSet[at] ?? true else { continue }
        let half: Float = 0.5
        let across = (wanted.values[at &+ 1] - wanted.values[at &- 1]) * half
        let down = (wanted.values[at &+ width] - wanted.values[at &- width]) * half
        let difference = got.values[at] - wanted.values[at]
        let sums = SIMD8<Float>(
          Self.product(across, across), Self.product(across, down), Self.product(down, down),
          Self.product(across, difference), Self.product(down, difference),
          difference.x - difference.z, difference.y - difference.z, 1)
        let cell = y / Self.cell &* columns &+ x / Self.cell
        cells[cell].sums += sums
        if let old {
          let other = got.values[at] - old.values[at]
          cells[cell].squares += SIMD2<Float>(
            Self.product(difference, difference), Self.product(other, other))
        }
      }
    }
    return cells
  }

  @inline(__always) private static func product(
    _ one: SIMD4<Float>, _ other: SIMD4<Float>
  ) -> Float {
    let bands = one * other
    return bands.x + bands.y + bands.z
  }
}
