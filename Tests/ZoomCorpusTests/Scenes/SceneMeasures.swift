@testable import ZoomCorpus

/// Numbers that tell a photograph-like picture from a flat fill.
struct SceneMeasures {
  let size: SceneSize
  let luma: [Int]

  init(_ scene: SyntheticScene) {
    size = scene.size
    let pixels = scene.pixels()
    luma = (0..<size.pixelCount).map { index in
      let (r, g, b) = (pixels[index * 3], pixels[index * 3 + 1], pixels[index * 3 + 2])
      return (Int(r) * 299 + Int(g) * 587 + Int(b) * 114) / 1000
    }
  }

  /// Number of luma values in use.
  var levels: Int { Set(luma).count }

  /// Mean of a rectangle, both ranges in per cent of the picture.
  func mean(_ x: ClosedRange<Int>, _ y: ClosedRange<Int>) -> Int {
    let columns = size.width * x.lowerBound / 100..<size.width * x.upperBound / 100
    let rows = size.height * y.lowerBound / 100..<size.height * y.upperBound / 100
    let values = rows.flatMap { row in columns.map { luma[row * size.width + $0] } }
    return values.reduce(0, +) / max(1, values.count)
  }

  /// Mean absolute difference, in hundredths, between means of neighbouring squares of a side.
  func contrast(side: Int) -> Int {
    let wide = size.width / side
    var means: [Int] = []
    for row in 0..<size.height / side {
      for column in 0..<wide {
        var sum = 0
        for y in row * side..<(row + 1) * side {
          for x in column * side..<(column + 1) * side {
            sum += luma[y * size.width + x]
          }
        }
        means.append(sum * 100 / (side * side))
      }
    }
    let steps = means.indices.filter { $0 % wide > 0 }.map { abs(means[$0] - means[$0 - 1]) }
    return steps.reduce(0, +) / max(1, steps.count)
  }
}
