internal import ZoomLaws

extension Inspection {
  /// Finds the row or column that differs most from its neighbours, and the mean difference.
  func compareLines(_ checks: inout SightChecks) {
    var rows = [(sum: Float, count: Float)](repeating: (0, 0), count: height)
    var columns = [(sum: Float, count: Float)](repeating: (0, 0), count: width)
    for y in 0..<height {
      for x in 0..<width {
        let index = y &* width &+ x
        // Filters mix the outermost pixels with the background.
        guard isInside(index, by: 2) else { continue }
        let difference = seen.values[index] - expected.values[index]
        let level = (abs(difference.x) + abs(difference.y) + abs(difference.z)) / 3
        rows[y].sum += level
        rows[y].count += 1
        columns[x].sum += level
        columns[x].count += 1
      }
    }
    let total = rows.reduce((sum: 0.0, count: 0.0)) {
      ($0.sum + Double($1.sum), $0.count + Double($1.count))
    }
    if total.count > 0 { checks.mean = total.sum / total.count }
    for (lines, isColumn) in [(rows, false), (columns, true)] {
      // Means over fewer pixels vary too much.
      let means: [Float?] = lines.map { $0.count >= 16 ? $0.sum / $0.count : nil }
      for (at, mean) in means.enumerated() {
        guard let mean else { continue }
        let near = means[max(0, at - 4)...min(means.count - 1, at + 4)]
        var neighbours: [Float] = near.enumerated().compactMap {
          near.startIndex + $0 == at ? nil : $1
        }
        guard neighbours.count >= 4 else { continue }
        neighbours.sort()
        let middle = neighbours.count / 2
        let typical = (neighbours[middle] + neighbours[(neighbours.count - 1) / 2]) / 2
        let score = Double(mean - typical)
        if score > checks.seam.score {
          checks.seam = SightChecks.Seam(score: score, isColumn: isColumn, at: at)
        }
      }
    }
  }

  /// Measures the sharpness, and how far pixels exceed the colours around their places.
  func compareDetail(_ checks: inout SightChecks) {
    guard width > 2, height > 2 else { return }
    var (products, squares) = (Float.zero, Float.zero)
    var largest: Float = 0
    for y in 1..<height - 1 {
      var (rowProducts, rowSquares) = (Float.zero, Float.zero)
      for x in 1..<width - 1 {
        let at = y &* width &+ x
        guard isInside(at, by: 3) else { continue }
        let colour = seen.values[at]
        let got = curvature(seen, at)
        let wanted = curvature(sharp, at)
        let (product, square) = (got * wanted, wanted * wanted)
        rowProducts += product.x + product.y + product.z
        rowSquares += square.x + square.y + square.z
        var (least, most) = (sharp.values[at], sharp.values[at])
        for row in -1...1 {
          for column in -1...1 {
            let near = sharp.values[at &+ row &* width &+ column]
            (least, most) = (pointwiseMin(least, near), pointwiseMax(most, near))
          }
        }
        let beyond = pointwiseMax(least - colour, colour - most)
        largest = max(largest, beyond.x, beyond.y, beyond.z)
      }
      products += rowProducts
      squares += rowSquares
    }
    checks.blend = Double(largest)
    // The slope of the detail seen over the best level's: any filter of the best level keeps 0.74,
    // and one level lower has at most 0.58. The ratio of the deviations would be 0.82 and 0.74,
    // because the kinks of interpolation count as detail. Without detail nothing can be compared.
    if squares > 0 { checks.sharpness = Double(products / squares) }
  }

  /// Returns the colour's difference from its four neighbours, by Laplace's operator.
  @inline(__always) private func curvature(_ field: ColourField, _ at: Int) -> SIMD4<Float> {
    let beside: SIMD4<Float> = field.values[at &- 1] + field.values[at &+ 1]
    let above: SIMD4<Float> = field.values[at &- field.width] + field.values[at &+ field.width]
    return field.values[at] * 4 - (beside + above)
  }
}
