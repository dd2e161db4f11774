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
  /// the differences of the codes (across, down), the number of pixels, and the squared differences
  /// from the expected colours and from the former card's.
  private typealias Sums = SIMD16<Float>

  /// Finds displaced blocks by their texture, and on the card by their colours, too.
  ///
  /// The texture measures parts of a pixel, the colours whole tiles: a tile of the neighbouring
  /// column has another texture, which yields no displacement that means anything. Rows and columns
  /// that are seams are left out: where bright ones cross, they would look like pixels of motion.
  func compareBlocks(
    _ checks: inout SightChecks, without seams: [[Int]], former: PlanePyramid?
  ) {
    let (columns, rows) = (width / Self.cell, height / Self.cell)
    guard columns > 1, rows > 1, let grid = FitGrid(seen) else { return }
    let isInside = inside(by: 3)
    // The filter of the samples reaches two pixels.
    let isSeam = zip(seams, [height, width]).map { lines, count in
      (0..<count).map { at in lines.contains { abs($0 - at) <= 2 } }
    }
    var cells = [Sums](repeating: .zero, count: columns * rows)
    for row in 0..<rows {
      let strip = PixelRegion(
        uncheckedX: 0, y: row * Self.cell, width: columns * Self.cell, height: Self.cell)
      let samples = grid.samples(of: levels, at: map, in: strip)
      let others = former.map { grid.samples(of: $0, at: map, in: strip) } ?? samples
      for (sample, other) in zip(samples, others) {
        let (x, y) = (Int(sample.x), Int(sample.y))
        guard isInside[y * width + x], !isSeam[0][y], !isSeam[1][x] else { continue }
        let (gradients, differences) = (sample.gradients, sample.differences)
        let (now, then) = (sample.colour - sample.expected, other.colour - other.expected)
        cells[row * columns + x / Self.cell] += Sums(
          gradients.x, gradients.y, gradients.z, differences.x, differences.y, now.code.x,
          now.code.y, 1, dot(now, now), dot(then, then), 0, 0, 0, 0, 0, 0)
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
        let way = isCard ? wrongness(block) : 0
        if way > checks.wrongPlace.px {
          checks.wrongPlace = SightChecks.Shift(px: way, x: x, y: y)
        }
        if former != nil, block[9] * 4 < block[8] { checks.formerBlocks += 1 }
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
}

extension Inspection {
  /// Counts pixels of the background inside the outline and of the picture outside, and measures
  /// how much of the outermost rows and columns is missing.
  func compareEdges(_ checks: inout SightChecks) {
    // A viewer may round an edge to a pixel, and its filter fades half a picture pixel.
    let margin = Float(1 + scale / 2)
    let (isInside, isNear) = (inside(by: margin), inside(by: -margin))
    let isBackground = seen.values.indices.map { isInside[$0] && seen.values[$0].w == 0 }
    checks.backgroundInside = isBackground.count { $0 }
    checks.pictureOutside = seen.values.indices.count { !isNear[$0] && seen.values[$0].w > 0 }
    if let region = seen.bounds(of: isBackground) {
      let shown = map.boundingBox(
        of: ViewRect(
          x: Double(region.x), y: Double(region.y), width: Double(region.width),
          height: Double(region.height)))
      let (left, top) = (Int(shown.x.rounded(.down)), Int(shown.y.rounded(.down)))
      let (right, bottom) = (Int(shown.maxX.rounded(.up)), Int(shown.maxY.rounded(.up)))
      checks.background = PixelRegion(
        uncheckedX: left, y: top, width: right - left, height: bottom - top
      ).intersection(PixelRegion(whole: levels.size))
    }
    let (across, down) = (Double(levels.size.width), Double(levels.size.height))
    let corners = [(0.0, 0.0), (across, 0.0), (across, down), (0.0, down)].map { corner in
      toDevice.apply(to: ViewPoint(x: corner.0, y: corner.1))
    }
    for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      checks.cornersMissing = max(checks.cornersMissing, missing(from: start, to: end))
    }
  }

  /// Returns the width in device pixels of the strip along a side that does not show the picture.
  ///
  /// Lines of samples cross the side at every device pixel. A sample's share of the picture's
  /// colours is known from the code, because grey backgrounds have none; the sum of the shares is
  /// the length of the line that shows the picture, to a part of a pixel. The side is divided into
  /// runs of 16 lines, and the worst median counts: single lines may cross something else.
  private func missing(from start: ViewPoint, to end: ViewPoint) -> Double {
    let length = start.distance(to: end)
    guard length >= 32, length.isFinite else { return 0 }
    let (x, y) = ((end.x - start.x) / length, (end.y - start.y) / length)
    // The map from the ways along and across the side to the screen.
    var side = Affine(a: x, b: y, c: -y, d: x, tx: start.x, ty: start.y)
    let middle = ViewPoint(x: Double(levels.size.width) / 2, y: Double(levels.size.height) / 2)
    guard let inverse = side.inverted() else { return 0 }
    let depth = inverse.apply(to: toDevice.apply(to: middle)).y
    // A mirrored picture lies on the other side.
    if depth < 0 { side = Affine.scale(x: 1, y: -1).then(side) }
    // Deep enough to see that a whole row is missing.
    let deep = min(max(8, Int(2 * min(scale, 32))), Int(2 * abs(depth)))
    guard deep >= 4 else { return 0 }
    // A side may be far longer than the screen is wide: only lines near the screen are tried.
    let reach = Double(width + height)
    let near = inverse.apply(to: ViewPoint(x: Double(width) / 2, y: Double(height) / 2)).x
    var (worst, run) = (0.0, [Double]())
    lines: for way in stride(from: max(4, near - reach), to: min(length - 4, near + reach), by: 1) {
      var missing = Double(deep)
      for step in -3..<deep {
        let point = side.apply(to: ViewPoint(x: way, y: Double(step) + 0.5))
        guard let part = share(at: point) else { continue lines }
        missing -= part
      }
      run.append(missing)
      if run.count == 16 {
        run.sort()
        worst = max(worst, run[8])
        run.removeAll()
      }
    }
    return worst
  }

  /// Returns the share of the card's colours at a point, 0 to 1; nil off the screen.
  ///
  /// Beyond the outline, the colours of the edge are expected.
  private func share(at point: ViewPoint) -> Double? {
    let (x, y) = (point.x - 0.5, point.y - 0.5)
    guard x >= 0, y >= 0, x < Double(width - 1), y < Double(height - 1) else { return nil }
    let got = interpolated(x, y, width: width, height: height) { seen.values[$0] }
    let wanted = interpolated(x, y, width: width, height: height) { expected.values[$0] }
    let shares = got.code / wanted.code
    return Double(min(max(min(shares.x, shares.y), 0), 1))
  }
}
