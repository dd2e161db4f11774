internal import ZoomGeometry
internal import ZoomLaws

extension Inspection {
  /// The side of a cell in device pixels.
  ///
  /// A block is two cells wide and high, and blocks overlap.
  private static var cell: Int { 24 }

  /// Sums over the pixels of a cell or a block.
  ///
  /// They are the products of the expected gradient (xx, xy, yy), those with the difference (x, y),
  /// the differences of the codes (across, down), the number of pixels, and the squared differences.
  private typealias Sums = SIMD16<Float>

  /// Finds displaced blocks by their texture, and on the card by their colours, too.
  ///
  /// The texture measures parts of a pixel, the colours whole tiles: a tile of the neighbouring
  /// column has another texture, which yields no displacement that means anything. Rows and columns
  /// that are seams are left out: where bright ones cross, they would look like pixels of motion.
  func compareBlocks(
    _ checks: inout SightChecks, _ isInside: [Bool], without seams: [[Int]]
  ) {
    let (columns, rows) = (width / Self.cell, height / Self.cell)
    guard columns > 1, rows > 1, let grid = FitGrid(seen) else { return }
    // The filter of the samples reaches two pixels.
    let isSeam = zip(seams, [height, width]).map { lines, count in
      (0..<count).map { at in lines.contains { abs($0 - at) <= 2 } }
    }
    var cells = [Sums](repeating: .zero, count: columns * rows)
    for row in 0..<rows {
      let strip = PixelRegion(
        uncheckedX: 0, y: row * Self.cell, width: columns * Self.cell, height: Self.cell)
      for sample in grid.samples(of: levels, at: map, in: strip) {
        let (x, y) = (Int(sample.x), Int(sample.y))
        guard isInside[y * width + x], !isSeam[0][y], !isSeam[1][x] else { continue }
        let (gradients, differences) = (sample.gradients, sample.differences)
        let off: SIMD4<Float> = sample.colour - sample.expected
        cells[row * columns + x / Self.cell] += Sums(
          gradients.x, gradients.y, gradients.z, differences.x, differences.y, off.code.x,
          off.code.y, 1, dot(off, off), 0, 0, 0, 0, 0, 0, 0)
      }
    }
    for row in 0..<rows - 1 {
      for column in 0..<columns - 1 {
        let at = row * columns + column
        let upper: Sums = cells[at] + cells[at + 1]
        let lower: Sums = cells[at + columns] + cells[at + columns + 1]
        let block = upper + lower
        // Two seams that cross, with their surroundings, take a fifth of a block.
        guard block[7] >= 0.75 * Float(4 * Self.cell * Self.cell) else { continue }
        let (x, y) = ((column + 1) * Self.cell, (row + 1) * Self.cell)
        let distance = Self.displacement(block)
        if distance > checks.shift.px {
          checks.shift = SightChecks.Shift(px: distance, x: x, y: y)
        }
        let way = wrongness(block)
        if way > checks.wrongPlace.px {
          checks.wrongPlace = SightChecks.Shift(px: way, x: x, y: y)
        }
      }
    }
  }

  /// Returns the displacement of a block by Lucas and Kanade, 1981; 0 without enough texture.
  ///
  /// On sound views it is at most 0.1 px. A tile moved by 1 px yields 1.03, one by 0.5 px 0.52.
  private static func displacement(_ sums: Sums) -> Double {
    let (xx, xy, yy) = (Double(sums[0]), Double(sums[1]), Double(sums[2]))
    let difference = (xx - yy) / 2
    let least = (xx + yy) / 2 - (difference * difference + xy * xy).squareRoot()
    // Rounding to levels leaves an error of 0.15 in smoothed colours: 0.04 px with this texture.
    guard least >= 12 else { return 0 }
    let (x, y) = (Double(sums[3]), Double(sums[4]))
    let moved = ViewPoint(x: yy * x - xy * y, y: xx * y - xy * x)
      .scaled(by: 1 / (xx * yy - xy * xy))
    // A displacement explains nearly all of the squared differences in its block, and half of them where
    // half of the block moved. A faint seam yields motion, too, but explains little.
    guard moved.x * x + moved.y * y >= 0.4 * Double(sums[8]) else { return 0 }
    // Beyond a cell the linear estimate only says that the block shows something else.
    return min(moved.length, Double(cell))
  }

  /// Returns the distance between the places that a block's colours name and those expected.
  ///
  /// The codes of a pixel are differences of rounded levels, each with an error of 0.29: together
  /// 0.41 levels. Four deviations of their mean do not count.
  private func wrongness(_ sums: Sums) -> Double {
    let count = Double(sums[7])
    let noise = 4 * 0.41 / count.squareRoot()
    let across = max(abs(Double(sums[5])) / count - noise, 0) * Double(levels.size.width)
    let down = max(abs(Double(sums[6])) / count - noise, 0) * Double(levels.size.height)
    return ViewPoint(x: across, y: down).length / PlaceCard.codeRange * scale
  }

  /// Counts pixels of the background inside the outline, also of a last row or column that is missing, and of the
  /// picture outside.
  func compareEdges(_ checks: inout SightChecks) {
    // A viewer may round an edge to a pixel, and its filter fades half a picture pixel.
    let margin = Float(1 + scale / 2)
    let (isInside, isNear) = (inside(by: margin), inside(by: -margin))
    let isBackground = seen.values.indices.map { isInside[$0] && seen.values[$0].w == 0 }
    checks.backgroundInside = isBackground.count { $0 }
    checks.pictureOutside = seen.values.indices.count { !isNear[$0] && seen.values[$0].w > 0 }
    checks.background = seen.bounds(of: isBackground).map { map.boundingBox(of: $0.numbers) }
  }
}
