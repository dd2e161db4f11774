internal import ZoomGeometry

/// Reads HEIC and AVIF pictures that are grids: copies the tiles that a region touches.
struct HEIFReader: RegionReader {
  private let file: FileReader
  private let layout: HEIFLayout
  private let pixelBytes: Int
  /// The largest number of coded or decoded bytes of one band's tiles.
  private let mostBytes: Int

  /// Recent libheif smooths chroma across tiles: at half the size, one sample covers two pixels.
  private static let margin = 2

  /// Reads the tables of a HEIF picture; throws `unsupported` if it cannot be carved.
  init(_ picture: Picture) throws(PipelineError) {
    layout = try HEIFLayout(picture.file)
    file = picture.file
    pixelBytes = picture.bands * picture.format.byteCount
    // libheif holds the planes and the interleaved pixels, libvips another copy.
    mostBytes = picture.limits.memory.limit / 4
    guard layout.grid.transformation.size == picture.storedSize else {
      throw file.refusal("libvips gives it another size than its tables")
    }
    // The decoder configuration of HEVC, which is in the tables, holds the coded size.
    for grid in layout.grids where grid.codec == .av1 {
      guard let coded = try coded(grid, 0), grid.isOfSize(coded: coded) else {
        throw file.refusal(
          "its tiles are not still pictures of the size that its tables have")
      }
    }
  }

  var explanation: String {
    let grid = layout.grid
    return "decodes only the region's tiles, of \(grid.columns) x \(grid.rows) of \(grid.tile)"
  }

  func cost(of stored: PixelRegion) -> PeekCost {
    let grid = layout.grid
    let region = (try? grid.transformation.gridRegion(of: stored)) ?? stored
    return PeekCost(
      each: grid.tiles(of: region, margin: Self.margin).area * grid.tile.area)
  }

  /// Plans bands that end between tiles, so that only tiles in the margin are decoded twice.
  func plan(_ stored: PixelRegion) -> RegionPlan {
    let (grid, transformation) = (layout.grid, layout.grid.transformation)
    // Turns the grid so that its rows are the picture's.
    let turn = transformation.isTransposed ? Orientation.leftMirrored : .up
    guard let region = try? transformation.gridRegion(of: stored),
      let turned = try? turn.uprightRegion(forStored: region, storedSize: grid.size)
    else { return RegionPlan([stored]) }
    let tiles = grid.tiles(of: region, margin: Self.margin)
    guard tiles.area * grid.tile.area * pixelBytes > mostBytes else { return RegionPlan([stored]) }
    let across = turn.uprightSize(ofStored: tiles.size).width
    let side = turn.uprightSize(ofStored: grid.tile).height
    // The margin may add a row of tiles above and below.
    let height = max(1, mostBytes / (across * grid.tile.area * pixelBytes) - 2) * side
    let bands = try? turned.bands(ofRows: height).map { band in
      try transformation.storedRegion(
        of: turn.storedRegion(forUpright: band, storedSize: grid.size))
    }
    return RegionPlan((bands ?? [stored]).sorted { $0.y < $1.y })
  }

  func carve(_ band: RegionBand) throws(PipelineError) -> CarvedFile? {
    let grid = layout.grid
    guard let region = try? grid.transformation.gridRegion(of: band.region) else { return nil }
    let tiles = grid.tiles(of: region, margin: Self.margin)
    let (left, top) = (tiles.x * grid.tile.width, tiles.y * grid.tile.height)
    let decoded = tiles.area * grid.tile.area
    guard decoded * pixelBytes <= mostBytes,
      let size = try? PixelSize(
        width: min(tiles.width * grid.tile.width, grid.size.width - left),
        height: min(tiles.height * grid.tile.height, grid.size.height - top)),
      let turned = try? grid.transformation.regionWithoutCrop(
        of: region.relative(to: (left, top)), in: size)
    else { return nil }
    var coded: [[[UInt8]]] = []
    for grid in layout.grids {
      guard let list = try self.coded(grid, tiles) else { return nil }
      coded.append(list)
    }
    let all = coded.joined()
    guard let bytes = HEIFWriter.file(of: layout, coded, columns: tiles.width, size: size) else {
      return nil
    }
    return CarvedFile(
      bytes: bytes, region: turned,
      work: Work(
        bytesRead: all.reduce(0) { $0 + $1.count }, unitsDecoded: all.count, unit: .tile,
        pixelsDecoded: decoded * coded.count, pixelsDelivered: 0))
  }

  /// Returns the bytes of some tiles, row by row; nil if they are too many or of another size.
  private func coded(
    _ grid: HEIFGrid, _ tiles: PixelRegion
  ) throws(PipelineError) -> [[UInt8]]? {
    var list: [[UInt8]] = []
    var rest = mostBytes
    for row in tiles.y..<tiles.maxY {
      for column in tiles.x..<tiles.maxX {
        guard let bytes = try coded(grid, row * grid.columns + column, atMost: rest),
          grid.isOfSize(coded: bytes)
        else { return nil }
        rest -= bytes.count
        list.append(bytes)
      }
    }
    return list
  }

  private func coded(
    _ grid: HEIFGrid, _ place: Int, atMost most: Int? = nil
  ) throws(PipelineError) -> [UInt8]? {
    var bytes: [UInt8] = []
    for extent in grid.extents[place] {
      guard extent.count <= (most ?? mostBytes) - bytes.count else { return nil }
      let part = try file.bytes(at: extent.lowerBound, count: extent.count)
      guard part.count == extent.count else { return nil }
      bytes += part
    }
    return bytes
  }
}

extension HEIFGrid {
  func tiles(of region: PixelRegion, margin: Int) -> PixelRegion {
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
