internal import ZoomGeometry
internal import ZoomLaws
internal import ZoomPipeline

/// A screenshot with the colours that it should show, and what differs.
struct Inspection {
  let levels: PlanePyramid
  let grid: FitGrid
  /// The map from device pixels to picture pixels, and its inverse.
  let map, toDevice: Affine
  /// The colours seen; the last lane is 1 where the picture is visible, 0 elsewhere.
  let seen: ColourField
  /// The colours expected, interpolated between levels as the registration does.
  let expected: ColourField

  /// Prepares to compare a screenshot with a picture at a place; nil if they cannot be compared.
  ///
  /// The screenshot is in device pixels; the ratio is their number per CSS pixel.
  init?(_ grid: FitGrid, _ place: ViewerPlace, ratio: Double, of levels: PlanePyramid) {
    toDevice = place.toScreen.then(.scale(ratio))
    guard let map = toDevice.inverted(), map.isUsable else { return nil }
    (self.levels, self.grid, self.map, seen) = (levels, grid, map, grid.colours)
    expected = levels.expected(map, in: seen.whole)
  }

  func checks() -> SightChecks {
    var checks = SightChecks()
    // Filters mix the outermost pixels with the background.
    let isInside = inside(by: 3)
    checks.exact = exact()
    let seams = compareLines(&checks, isInside)
    checks.sharpness = sharpness(isInside)
    compareBlocks(&checks, isInside, without: seams)
    compareEdges(&checks)
    return checks
  }

  /// The length of a picture pixel in device pixels.
  var scale: Double { abs(toDevice.determinant).squareRoot() }
  var width: Int { seen.width }
  var height: Int { seen.height }

  /// Returns the pixels whose distance inside the picture's outline is more than a margin.
  func inside(by margin: Float) -> [Bool] {
    let least = margin / Float(scale)
    return expected.values.map { $0.w > least }
  }

  /// Compares pixels one by one if the picture is shown 1:1, upright and on whole device pixels.
  func exact() -> SightChecks.ExactDifference? {
    // Because the fit is exact at 1:1, only other places are to be excluded: 2e-4 is 0.1 px on a screen of 500.
    let linear = [map.a - 1, map.b, map.c, map.d - 1]
    let centre = ViewPoint(x: Double(width) / 2, y: Double(height) / 2)
    let offset = map.apply(to: centre) - centre
    let (across, down) = (offset.x.rounded(), offset.y.rounded())
    guard linear.allSatisfy({ abs($0) < 2e-4 }),
      max(abs(offset.x - across), abs(offset.y - down)) < 0.02
    else { return nil }
    let exact = levels.expected(.translation(x: across, y: down), in: seen.whole)
    var difference = SightChecks.ExactDifference(pixels: 0, level: 0, compared: 0)
    for (colour, wanted) in zip(seen.values, exact.values) where wanted.w > 0 {
      let level = Int(largestDifference(colour, wanted))
      difference.compared += 1
      difference.pixels += level > 0 ? 1 : 0
      difference.level = max(difference.level, level)
    }
    return difference.compared > 0 ? difference : nil
  }

  /// Finds the row or column that differs most from its neighbours, and the mean difference.
  ///
  /// The result is the rows and the columns that may be seams.
  func compareLines(_ checks: inout SightChecks, _ isInside: [Bool]) -> [[Int]] {
    // The sum of the differences and the number of pixels of each line.
    var rows = [SIMD2<Float>](repeating: .zero, count: height)
    var columns = [SIMD2<Float>](repeating: .zero, count: width)
    for y in 0..<height {
      for x in 0..<width where isInside[y &* width &+ x] {
        let difference = seen.values[y &* width &+ x] - expected.values[y &* width &+ x]
        let level = (abs(difference.x) + abs(difference.y) + abs(difference.z)) / 3
        rows[y] += SIMD2<Float>(level, 1)
        columns[x] += SIMD2<Float>(level, 1)
      }
    }
    let total = rows.reduce(into: SIMD2<Double>.zero) { $0 += SIMD2<Double>($1) }
    if total.y > 0 { checks.mean = total.x / total.y }
    var seams: [[Int]] = [[], []]
    for (lines, isColumn) in [(rows, false), (columns, true)] {
      // Means over fewer pixels vary too much.
      let means: [Float?] = lines.map { $0.y >= 16 ? $0.x / $0.y : nil }
      for (at, mean) in means.enumerated() {
        let near = (max(0, at - 4)..<min(means.count, at + 5)).filter { $0 != at }
        let neighbours = near.compactMap { means[$0] }.sorted()
        guard let mean, neighbours.count >= 4 else { continue }
        let (lower, upper) = ((neighbours.count - 1) / 2, neighbours.count / 2)
        let score = Double(mean - (neighbours[lower] + neighbours[upper]) / 2)
        // Views without seams reach 4.8.
        if score > 6 { seams[isColumn ? 1 : 0].append(at) }
        if score > checks.seam {
          (checks.seam, checks.seamName) = (score, "\(isColumn ? "column" : "row") \(at)")
        }
      }
    }
    return seams
  }

  /// Returns the slope of the detail seen over the best level's; 1 without detail, which cannot be compared.
  ///
  /// Any filter of the best level keeps 0.74, and one level lower has at most 0.58. The ratio of the deviations would
  /// be 0.82 and 0.74, because the kinks of interpolation count as detail.
  func sharpness(_ isInside: [Bool]) -> Double {
    // The coarsest level whose pixels are not longer than the screen's has all detail that a viewer can show. Viewers
    // and the fit round scales: 1 %, or 0.014 of a halving, more is as good.
    let sharp = levels.expected(map, in: seen.whole, level: Int(levels.halvings(map) + 0.014))
    var (products, squares) = (0.0, 0.0)
    for y in 1..<max(1, height - 1) {
      for x in 1..<max(1, width - 1) where isInside[y &* width &+ x] {
        let at = y &* width &+ x
        let (got, wanted) = (curvature(seen, at), curvature(sharp, at))
        products += Double(dot(got, wanted))
        squares += Double(dot(wanted, wanted))
      }
    }
    return squares > 0 ? products / squares : 1
  }

  /// Returns the colour's difference from its four neighbours, by Laplace's operator.
  @inline(__always) private func curvature(_ field: ColourField, _ at: Int) -> SIMD4<Float> {
    let beside: SIMD4<Float> = field.values[at &- 1] + field.values[at &+ 1]
    let above: SIMD4<Float> = field.values[at &- field.width] + field.values[at &+ field.width]
    return field.values[at] * 4 - (beside + above)
  }

  /// The side of a cell in device pixels; a block is two cells wide and high, and blocks overlap.
  private static var cell: Int { 24 }

  /// Sums over the pixels of a cell or a block.
  ///
  /// They are the products of the expected gradient (xx, xy, yy), those with the difference (x, y),
  /// the differences of the codes (across, down), the number of pixels, and the squared differences.
  private typealias Sums = SIMD16<Float>

  /// Finds displaced blocks by their texture, and by their colours, too.
  ///
  /// The texture measures parts of a pixel, the colours whole tiles: a tile of the neighbouring
  /// column has another texture, which yields no displacement that means anything. Rows and columns
  /// that are seams are left out: where bright ones cross, they would look like pixels of motion.
  func compareBlocks(_ checks: inout SightChecks, _ isInside: [Bool], without seams: [[Int]]) {
    let (columns, rows) = (width / Self.cell, height / Self.cell)
    guard columns > 1, rows > 1 else { return }
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
        let moved = SightChecks.Shift(px: Self.displacement(block), x: x, y: y)
        if moved.px > checks.shift.px { checks.shift = moved }
        let wrong = SightChecks.Shift(px: wrongness(block), x: x, y: y)
        if wrong.px > checks.wrongPlace.px { checks.wrongPlace = wrong }
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
  /// Levels are rounded with a deviation of 0.29, and codes, which are their differences, have 0.41. Errors within an
  /// enlarged picture pixel are nearly equal. Four deviations of the mean do not count.
  private func wrongness(_ sums: Sums) -> Double {
    let count = Double(sums[7])
    let noise = 4 * 0.41 * (max(1, scale) / count).squareRoot()
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
