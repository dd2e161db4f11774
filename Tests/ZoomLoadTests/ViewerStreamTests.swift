import ForeignPipelines
import Testing
import ZoomGeometry
import ZoomLoad
import ZoomPipeline

struct ViewerStreamTests {
  private static func viewer(_ grid: TileGrid, seed: UInt64 = 1, viewer: Int = 0) throws
    -> ViewerStream
  {
    ViewerStream(
      [grid], choices: [0], model: .seeded(screen: try PixelSize(width: 640, height: 480)),
      seed: seed, viewer: viewer)
  }

  private static func grid(_ width: Int, _ height: Int, tile: Int?) throws -> TileGrid {
    let tile = try tile.map { try PixelSize(width: $0, height: $0) }
    let size = try PixelSize(width: width, height: height)
    return TileGrid(
      size: size, tile: tile,
      factors: TileGrid.halvings(of: size, tile: try tile ?? PixelSize(width: 512, height: 512)))
  }

  @Test(arguments: [(1, 1), (17, 4000), (700, 500), (40_000, 30_000)])
  func `every request is one that a source answers`(_ width: Int, _ height: Int) throws {
    for tile in [nil, 256] {
      let grid = try Self.grid(width, height, tile: tile)
      for seed: UInt64 in 0..<20 {
        var viewer = try Self.viewer(grid, seed: seed)
        for _ in 0..<50 {
          let parts = viewer.nextParts()
          #expect(!parts.isEmpty && Set(parts).count == parts.count)
          for part in parts {
            try part.tile.request.check(pictureSize: grid.size, file: nil)
          }
        }
      }
    }
  }

  @Test func `a person zooms in and out, pans far and near, and keeps what is loaded`() throws {
    let grid = try Self.grid(40_000, 30_000, tile: 256)
    var viewer = try Self.viewer(grid)
    let first = viewer.nextParts()
    // The picture is fitted at first.
    #expect(Set(first.map(\.tile.request.reduction.rawValue)) == [32])
    var factors: Set<Int> = [], last: Set<LoadPart> = Set(first)
    for _ in 0..<500 {
      let parts = viewer.nextParts()
      factors.formUnion(parts.map(\.tile.request.reduction.rawValue))
      // Only a new session, which begins with the fitted picture, asks again.
      if Set(parts) != Set(first) { #expect(last.isDisjoint(with: parts)) }
      last = Set(parts)
    }
    #expect(factors == [1, 2, 4, 8, 16, 32])
  }

  @Test func `viewers differ, and the same seed and number give the same views`() throws {
    let grid = try Self.grid(40_000, 30_000, tile: 256)
    func views(_ seed: UInt64, _ number: Int) throws -> [[LoadPart]] {
      var viewer = try Self.viewer(grid, seed: seed, viewer: number)
      return (0..<20).map { _ in viewer.nextParts() }
    }
    #expect(try views(1, 2) == views(1, 2))
    #expect(try views(1, 2) != views(1, 3))
    #expect(try views(1, 2) != views(2, 2))
  }

  @Test func `a script gives the views at which a system rests`() throws {
    let size = try PixelSize(width: 3000, height: 2000)
    let screen = try Screen(size: ViewSize(width: 375, height: 667), scale: 2)
    let still = try GestureScript(screen: screen, events: [])
    for system in ZoomSystem.allCases {
      let views = try ViewerStream.views(of: still, system: system, picture: size)
      #expect(!views.isEmpty)
      #expect(views.allSatisfy { $0.region.isInside(size) && $0.scale >= 1 })
    }
  }

  @Test func `tiles cover a region without gaps, and overlap by the stated strip`() throws {
    let size = try PixelSize(width: 1000, height: 700)
    let tile = try PixelSize(width: 256, height: 256)
    let grid = TileGrid(size: size, tile: tile, overlap: 1, factors: [1, 2, 4, 100])
    #expect(grid.factors == [1, 2, 4])
    let tiles = grid.tiles(covering: PixelRegion(whole: size), factor: 2)
    #expect(tiles.map { "\($0.column) \($0.row)" } == ["0 0", "1 0", "0 1", "1 1"])
    #expect(
      tiles.map(\.request.region.description) == [
        "514x514+0+0", "490x514+510+0", "514x190+0+510", "490x190+510+510",
      ])
    let one = grid.tiles(
      covering: try PixelRegion(x: 300, y: 300, width: 1, height: 1), factor: 1)
    #expect(one.map(\.request.region.description) == ["258x258+255+255"])
  }
}
