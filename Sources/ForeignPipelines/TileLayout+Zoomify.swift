package import ZoomGeometry
internal import ZoomPipeline

/// Zoomify numbers the tiles of a pyramid from its smallest level on and puts 256 of them into a folder. The
/// address of a full-size tile thus depends on the sizes of all smaller levels; two rules for them are in
/// use.
extension TileLayout {
  /// The full-size tiles of a Zoomify pyramid under one rule.
  package struct Zoomify: Sendable {
    let columns: Int
    let rows: Int
    var level = 0
    var smallerTiles = 0
    /// The columns and the number of tiles of the smaller levels, the largest first.
    private(set) var smaller: [(columns: Int, tiles: Int)] = []

    package init(_ size: PixelSize, tileSide: Int, halve: (Int) -> Int) {
      func count(_ length: Int) -> Int { (length + tileSide - 1) / tileSide }
      (columns, rows) = (count(size.width), count(size.height))
      var (width, height) = (size.width, size.height)
      while max(width, height) > tileSide {
        (width, height) = (max(1, halve(width)), max(1, halve(height)))
        level += 1
        smaller.append((count(width), count(width) * count(height)))
        smallerTiles += count(width) * count(height)
      }
    }

    /// The number of tiles of all levels.
    package var tiles: Int { smallerTiles + columns * rows }

    /// The number of the folder of a tile.
    package func group(_ column: Int, _ row: Int, halvings: Int = 0) -> Int {
      let skipped = smaller.prefix(halvings).reduce(0) { $0 + $1.tiles }
      let width = halvings == 0 ? columns : smaller[halvings - 1].columns
      return (smallerTiles - skipped + row * width + column) / 256
    }

    package func address(_ column: Int, _ row: Int, halvings: Int = 0) -> String {
      "TileGroup\(group(column, row, halvings: halvings))/\(level - halvings)-\(column)-\(row).jpg"
    }
  }

  /// Reads an `ImageProperties.xml`.
  ///
  /// The number of tiles that it states identifies the rule, because the two rules give the same number only
  /// if they give the same tiles at every level. Servers that compute tiles may state another number: then
  /// `exists` is called for a tile that has different addresses under the two rules.
  static func zoomify(
    _ name: String, _ text: String,
    exists: (_ tile: String, _ side: Int) throws(PipelineError) -> Bool
  ) throws(PipelineError) -> TileLayout? {
    guard let side = number("TILESIZE", in: text), side > 0, let width = number("WIDTH", in: text),
      let height = number("HEIGHT", in: text),
      let size = try? PixelSize(width: width, height: height)
    else { return nil }
    let base = name.dropLast("ImageProperties.xml".count)
    let upwards = Zoomify(size, tileSide: side) { ($0 + 1) / 2 }
    let downwards = Zoomify(size, tileSide: side) { $0 / 2 }
    var found = upwards
    if let stated = number("NUMTILES", in: text), [upwards.tiles, downwards.tiles].contains(stated)
    {
      if stated == downwards.tiles { found = downwards }
    } else if let place = firstDifference(upwards, downwards) {
      let (column, row) = (place % upwards.columns, place / upwards.columns)
      if try !exists(base + upwards.address(column, row), side) { found = downwards }
    }
    // Where a side is odd, the level that is rounded down is not the picture reduced by two.
    let halvings = min(size.width.trailingZeroBitCount, size.height.trailingZeroBitCount)
    let isDownwards = found.tiles != upwards.tiles
    return TileLayout(
      size: size, tileWidth: side, tileHeight: side,
      mostHalvings: isDownwards ? min(halvings, found.level) : found.level
    ) { [found] tile in
      base + found.address(tile.column, tile.row, halvings: tile.halvings)
    }
  }

  /// Returns the row-order index of the first full-size tile with different addresses under two rules, if
  /// any.
  private static func firstDifference(_ upwards: Zoomify, _ downwards: Zoomify) -> Int? {
    if upwards.level != downwards.level
      || upwards.smallerTiles / 256 != downwards.smallerTiles / 256
    {
      return 0
    }
    if upwards.smallerTiles == downwards.smallerTiles { return nil }
    // Under the rule with more smaller tiles the folder changes earlier.
    let place = 256 - upwards.smallerTiles % 256
    return place < upwards.columns * upwards.rows ? place : nil
  }
}
