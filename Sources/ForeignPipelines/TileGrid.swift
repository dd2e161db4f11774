package import ZoomGeometry
package import ZoomPipeline

/// The tiles into which a server or a viewer divides a picture, at each of its levels.
package struct TileGrid: Sendable, Hashable {
  /// A tile of one level, and the part of the picture that it shows.
  package struct Tile: Sendable, Hashable {
    package let column, row: Int
    package let request: RegionRequest

    /// The halvings of its level, in a pyramid whose levels are halved.
    var halvings: Int { request.reduction.rawValue.trailingZeroBitCount }
  }

  package let size: PixelSize
  /// The size of a tile in its level's pixels; nil if any region can be requested as one tile.
  package let tile: PixelSize?
  /// The width of the strip of each neighbour that a tile also contains, in its level's pixels.
  package let overlap: Int
  /// The factors by which the levels are reduced, in ascending order.
  package let factors: [Int]

  /// Creates a grid; factors that no request can have are left out, and one is always among them.
  package init(size: PixelSize, tile: PixelSize?, overlap: Int = 0, factors: some Sequence<Int>) {
    let usable = factors.filter { (1...Reduction.largestFactor).contains($0) }
    (self.size, self.tile, self.overlap) = (size, tile, overlap)
    self.factors = Set(usable + [1]).sorted()
  }

  /// Returns the factors 1, 2, 4 and so on, until a level fits into one tile.
  package static func halvings(of size: PixelSize, tile: PixelSize) -> [Int] {
    var factors = [1]
    while let last = factors.last, last < Reduction.largestFactor,
      size.width > tile.width * last || size.height > tile.height * last
    {
      factors.append(last * 2)
    }
    return factors
  }

  /// Returns the tiles of a level that show a region of the picture, row by row.
  package func tiles(covering region: PixelRegion, factor: Int) -> [Tile] {
    let shown = region.reduced(by: factor)
    guard let tile else { return [makeTile(0, 0, shown, factor)] }
    return (shown.y / tile.height...(shown.maxY - 1) / tile.height).flatMap { row -> [Tile] in
      (shown.x / tile.width...(shown.maxX - 1) / tile.width).map { column -> Tile in
        let (x, y) = (column * tile.width, row * tile.height)
        let own = PixelRegion(uncheckedX: x, y: y, width: tile.width, height: tile.height)
        return makeTile(column, row, own, factor)
      }
    }
  }

  /// Returns a tile by its own part in the pixels of its level.
  private func makeTile(_ column: Int, _ row: Int, _ own: PixelRegion, _ factor: Int) -> Tile {
    let (left, top) = (max(0, own.x - overlap) * factor, max(0, own.y - overlap) * factor)
    let region = PixelRegion(
      uncheckedX: left, y: top, width: min(size.width, (own.maxX + overlap) * factor) - left,
      height: min(size.height, (own.maxY + overlap) * factor) - top)
    return Tile(
      column: column, row: row,
      request: RegionRequest(region, reduction: Reduction(rawValue: factor) ?? .none))
  }
}
