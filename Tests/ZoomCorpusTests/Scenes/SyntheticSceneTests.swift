import Testing
import ZoomGeometry

@testable import ZoomCorpus

@Suite struct SyntheticSceneTests {
  private static func scene(
    _ recipe: SceneRecipe, _ width: Int = 160, _ height: Int = 120, seed: UInt64 = 1
  ) throws -> SyntheticScene {
    try SyntheticScene(recipe, size: PixelSize(width: width, height: height), seed: seed)
  }

  @Test(arguments: SceneRecipe.allCases)
  func `a strip made alone is equal to the same rows of the whole`(recipe: SceneRecipe) throws {
    let scene = try Self.scene(recipe, seed: 5)
    let whole = scene.pixels()
    for rows in [0..<1, 0..<16, 16..<32, 63..<64, 90..<120, 119..<120] {
      let part = whole[rows.lowerBound * scene.rowBytes..<rows.upperBound * scene.rowBytes]
      #expect(scene.pixels(rows: rows) == Array(part), "\(rows)")
    }
  }

  @Test(arguments: SceneRecipe.allCases)
  func `the seed decides the picture`(recipe: SceneRecipe) throws {
    let (one, other) = try (Self.scene(recipe).pixels(), Self.scene(recipe, seed: 2).pixels())
    #expect(zip(one, other).count { $0 != $1 } > one.count / 2)
  }

  @Test(arguments: SceneRecipe.allCases, [(1, 1), (1, 40), (40, 1), (3, 2), (17, 9), (2, 600)])
  func `any size works down to one pixel`(recipe: SceneRecipe, sides: (Int, Int)) throws {
    let scene = try Self.scene(recipe, sides.0, sides.1, seed: .max)
    #expect(scene.pixels().count == sides.0 * sides.1 * 3)
  }

  @Test func `a scene that is too large is refused`() {
    #expect(throws: CorpusError.self) { try Self.scene(.mosaic, 1 << 20 + 1, 5) }
  }

  @Test func `every recipe gives the same bytes on every machine and in every configuration`()
    throws
  {
    // FNV-1a over a small picture. If a sum changes, the corpus changes, and every checksum in the
    // manifest must be updated.
    let sums = try SceneRecipe.allCases.map { recipe in
      try Self.scene(recipe).pixels().reduce(0xCBF2_9CE4_8422_2325) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
    }
    #expect(
      sums == [
        13_442_646_701_466_036_605, 6_604_025_476_702_021_592, 3_076_202_736_320_755_746,
      ])
  }
}
