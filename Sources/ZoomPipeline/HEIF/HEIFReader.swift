internal import ZoomGeometry

/// Reads HEIC and AVIF pictures that are grids: copies the tiles that a region touches.
struct HEIFReader: RegionReader {
  private let file: FileReader
  private let grid: HEIFGrid
  private let pixelBytes: Int
  /// The largest number of coded or decoded bytes of one band's tiles.
  private let mostBytes: Int

  /// Recent libheif smooths chroma across tiles: at half the size, one sample covers two pixels.
  private static let margin = 2

  /// Reads the tables of a HEIF picture; throws `unsupported` if it cannot be carved.
  init(_ picture: Picture) throws(PipelineError) {
    grid = try HEIFGrid(picture.file)
    file = picture.file
    pixelBytes = picture.bands * picture.format.byteCount
    // libheif holds the planes and the interleaved pixels, libvips another copy.
    mostBytes = picture.limits.memory.limit / 4
    guard grid.orientation.uprightSize(ofStored: grid.size) == picture.storedSize else {
      throw file.refusal("libvips gives it another size than its tables")
    }
    // The decoder configuration of HEVC, which is in the tables, holds the coded size.
    if grid.codec == .av1 {
      guard try coded(0, atMost: mostBytes) != nil else {
        throw file.refusal("its tiles are not still pictures of the size that its tables have")
      }
    }
  }

  var explanation: String {
    "decodes only the region's tiles, of \(grid.columns) x \(grid.rows) of \(grid.tile)"
  }

  func cost(of stored: PixelRegion) -> PeekCost {
    let tiles = grid.tiles(of: (try? grid.region(of: stored)) ?? stored, margin: Self.margin)
    return PeekCost(each: tiles.area * grid.tile.area)
  }

  func plan(_ stored: PixelRegion) throws(PipelineError) -> RegionPlan {
    if file.isRemote, let region = try? grid.region(of: stored) {
      let tiles = grid.tiles(of: region, margin: Self.margin)
      try file.expect(
        (tiles.y..<tiles.maxY).flatMap { row in
          (tiles.x..<tiles.maxX).map { grid.tiles[row * grid.columns + $0] }
        })
    }
    return bands(of: stored)
  }

  /// Plans bands that end between tiles, so that only tiles in the margin are decoded twice.
  private func bands(of stored: PixelRegion) -> RegionPlan {
    // Turns the grid so that its rows are the picture's.
    let turn = grid.orientation.swapsAxes ? Orientation.leftMirrored : .up
    guard let region = try? grid.region(of: stored),
      let turned = try? turn.uprightRegion(forStored: region, storedSize: grid.size)
    else { return RegionPlan([stored]) }
    let tiles = grid.tiles(of: region, margin: Self.margin)
    guard tiles.area * grid.tile.area * pixelBytes > mostBytes else { return RegionPlan([stored]) }
    let across = turn.uprightSize(ofStored: tiles.size).width
    let side = turn.uprightSize(ofStored: grid.tile).height
    // The margin may add a row of tiles above and below.
    let height = max(1, mostBytes / (across * grid.tile.area * pixelBytes) - 2) * side
    let bands = try? turned.bands(ofRows: height).map { band in
      try grid.orientation.uprightRegion(
        forStored: turn.storedRegion(forUpright: band, storedSize: grid.size),
        storedSize: grid.size)
    }
    return RegionPlan((bands ?? [stored]).sorted { $0.y < $1.y })
  }

  func carve(_ band: RegionBand) throws(PipelineError) -> CarvedFile? {
    guard let region = try? grid.region(of: band.region) else { return nil }
    let tiles = grid.tiles(of: region, margin: Self.margin)
    let (left, top) = (tiles.x * grid.tile.width, tiles.y * grid.tile.height)
    let decoded = tiles.area * grid.tile.area
    guard decoded * pixelBytes <= mostBytes,
      let size = try? PixelSize(
        width: min(tiles.width * grid.tile.width, grid.size.width - left),
        height: min(tiles.height * grid.tile.height, grid.size.height - top)),
      let turned = try? grid.orientation.uprightRegion(
        forStored: region.relative(to: (left, top)), storedSize: size),
      let coded = try self.coded(tiles),
      let bytes = HEIFWriter.file(of: grid, coded, columns: tiles.width, size: size)
    else { return nil }
    return CarvedFile(
      bytes: bytes, region: turned,
      work: Work(
        bytesRead: coded.reduce(0) { $0 + $1.count }, unitsDecoded: coded.count, unit: .tile,
        pixelsDecoded: decoded, pixelsDelivered: 0))
  }

  /// Returns the bytes of some tiles, row by row; nil if they cannot be carved.
  private func coded(_ tiles: PixelRegion) throws(PipelineError) -> [[UInt8]]? {
    var list: [[UInt8]] = []
    var rest = mostBytes
    for row in tiles.y..<tiles.maxY {
      for column in tiles.x..<tiles.maxX {
        guard let bytes = try coded(row * grid.columns + column, atMost: rest) else { return nil }
        rest -= bytes.count
        list.append(bytes)
      }
    }
    return list
  }

  /// Returns the bytes of a tile; nil if they are too many, cut off or of another size.
  private func coded(_ number: Int, atMost most: Int) throws(PipelineError) -> [UInt8]? {
    let place = grid.tiles[number]
    guard place.count <= most else { return nil }
    let bytes = try file.bytes(at: place.lowerBound, count: place.count)
    return bytes.count == place.count && grid.isOfSize(coded: bytes) ? bytes : nil
  }
}

extension HEIFGrid {
  /// Returns the tiles with a pixel of a region of the grid, or at most `margin` away from it.
  fileprivate func tiles(of region: PixelRegion, margin: Int) -> PixelRegion {
    let left = max(region.x - margin, 0) / tile.width
    let top = max(region.y - margin, 0) / tile.height
    let right = (min(region.maxX + margin, size.width) - 1) / tile.width
    let bottom = (min(region.maxY + margin, size.height) - 1) / tile.height
    guard
      let tiles = try? PixelRegion(
        x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    else { preconditionFailure("a region inside a grid touches tiles") }
    return tiles
  }
}
