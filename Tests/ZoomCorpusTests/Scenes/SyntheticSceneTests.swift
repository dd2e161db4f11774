import Testing

@testable import ZoomCorpus

@Suite struct SyntheticSceneTests {
  private static let size = SceneSize(width: 160, height: 120)

  @Test(arguments: SceneRecipe.allCases)
  func `a strip made alone is equal to the same rows of the whole`(recipe: SceneRecipe) throws {
    let scene = try SyntheticScene(recipe, size: Self.size, seed: 5)
    let whole = scene.pixels()
    for rows in [0..<1, 0..<16, 16..<32, 63..<64, 90..<120, 119..<120] {
      let part = whole[rows.lowerBound * scene.rowBytes..<rows.upperBound * scene.rowBytes]
      #expect(scene.pixels(rows: rows) == Array(part), "\(rows)")
    }
  }

  @Test(arguments: SceneRecipe.allCases)
  func `strips made by many tasks at once are the rows of the whole`(recipe: SceneRecipe)
    async throws
  {
    let scene = try SyntheticScene(recipe, size: Self.size, seed: 6)
    let strips = await withTaskGroup(of: (Int, [UInt8]).self) { group in
      for y in stride(from: 0, to: 120, by: 30) {
        group.addTask { (y, scene.pixels(rows: y..<y + 30)) }
      }
      return await group.reduce(into: [Int: [UInt8]]()) { $0[$1.0] = $1.1 }
    }
    let joined = strips.sorted { $0.key < $1.key }.flatMap(\.value)
    #expect(joined == scene.pixels())
  }

  @Test(arguments: SceneRecipe.allCases)
  func `the seed decides the picture`(recipe: SceneRecipe) throws {
    let one = try SyntheticScene(recipe, size: Self.size, seed: 1).pixels()
    #expect(try SyntheticScene(recipe, size: Self.size, seed: 1).pixels() == one)
    let other = try SyntheticScene(recipe, size: Self.size, seed: 2).pixels()
    let different = zip(one, other).count { $0 != $1 }
    #expect(different > one.count / 2)
  }

  @Test func `crops all over a very large picture are interesting and differ from each other`()
    throws
  {
    let scene = try SyntheticScene(.mosaic, size: SceneSize(width: 8192, height: 8192))
    var seen: Set<[Int]> = []
    for y in [50, 3000, 6100, 8100] {
      let rows = scene.pixels(rows: y..<y + 12)
      for x in stride(from: 0, to: 7800, by: 375) {
        let crop = (0..<12 * 375).map { index in
          Int(rows[((index / 375) * 8192 + x + index % 375) * 3 + 1])
        }
        let mean = crop.reduce(0, +) / crop.count
        let spread = crop.reduce(0) { $0 + abs($1 - mean) } * 10 / crop.count
        // A mean deviation of at least 1.5 8-bit steps, even on the open sea.
        #expect(spread >= 15, "at \(x), \(y)")
        #expect(Set(crop).count > 12, "at \(x), \(y)")
        seen.insert(stride(from: 0, to: crop.count, by: 97).map { crop[$0] })
      }
    }
    #expect(seen.count == 4 * 21)
  }

  @Test(arguments: SceneRecipe.allCases)
  func `more detail means more difference between neighbours`(recipe: SceneRecipe) throws {
    let contrasts = try [0, 100, 200].map { detail in
      SceneMeasures(try SyntheticScene(recipe, size: Self.size, detail: detail)).contrast(side: 1)
    }
    #expect(contrasts[0] < contrasts[1])
    #expect(contrasts[1] < contrasts[2])
  }

  @Test(arguments: SceneRecipe.allCases, [(1, 1), (1, 40), (40, 1), (3, 2), (17, 9), (2, 600)])
  func `any size works down to one pixel`(recipe: SceneRecipe, sides: (Int, Int)) throws {
    let size = SceneSize(width: sides.0, height: sides.1)
    for detail in [0, 200] {
      let scene = try SyntheticScene(recipe, size: size, seed: .max, detail: detail)
      #expect(scene.pixels().count == size.pixelCount * 3)
    }
  }

  @Test func `sizes and details outside their ranges are refused`() {
    for side in [0, -3, (1 << 20) + 1] {
      let size = SceneSize(width: side, height: 5)
      #expect(throws: SyntheticScene.Failure.invalidSize(size)) {
        try SyntheticScene(.forest, size: size)
      }
    }
    for detail in [-1, 201] {
      #expect(throws: SyntheticScene.Failure.invalidDetail(detail)) {
        try SyntheticScene(.forest, size: Self.size, detail: detail)
      }
    }
  }

  @Test func `every recipe gives the same bytes on every machine and in every configuration`()
    throws
  {
    // FNV-1a over a small picture. If a sum changes, the corpus changes, and every checksum in the
    // manifest must be updated.
    let sums = try SceneRecipe.allCases.map { recipe in
      try SyntheticScene(recipe, size: Self.size).pixels().reduce(0xCBF2_9CE4_8422_2325) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
    }
    #expect(
      sums == [
        3_537_900_265_269_667_884, 13_442_646_701_466_036_605, 6_604_025_476_702_021_592,
        18_421_981_161_898_549_924, 3_076_202_736_320_755_746,
      ])
  }
}

/// Measures that distinguish a photograph-like picture from a flat fill.
private struct SceneMeasures {
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

  /// Returns the mean absolute difference, in hundredths, of the means of neighbouring squares.
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
