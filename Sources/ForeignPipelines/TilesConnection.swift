internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// A pyramid of tiles in a folder or on a server; regions are assembled from full-size tiles.
final class TilesConnection: ForeignConnection {
  private let session: ForeignSession
  private let layout: TileLayout
  private let grid: TileGrid
  /// Nil if the tiles are files.
  private let client: HTTPClient?
  private let scratch: ScratchFolder
  let state = SourceState.openFile
  private var picture: Picture { session.picture }

  init(_ place: String, _ session: ForeignSession) throws(PipelineError) {
    let isRemote = HTTPClient.isAddress(place)
    let place = Placeholders.fill(
      place, Placeholders.values(of: session.picture.path), encoded: isRemote)
    let client = isRemote ? try session.client() : nil
    (self.session, self.client) = (session, client)
    scratch = try ScratchFolder()
    layout = try TileLayout.read(place, session, by: client)
    grid = try layout.grid(of: session.size, in: session.picture.path)
  }

  func region(
    _ region: PixelRegion, until deadline: AnswerDeadline
  ) throws(PipelineError) -> ForeignAnswer {
    var joined: Joined?
    var isLossy = false
    for tile in grid.tiles(covering: region, factor: 1) {
      let answer = try answer(tile, until: deadline)
      isLossy = isLossy || answer.isLossy
      try place(answer.pixels, tile.column, tile.row, in: &joined, of: region)
    }
    guard let joined else { preconditionFailure("a region has pixels") }
    return ForeignAnswer(
      pixels: Pixels(
        size: region.size, bands: joined.bands, format: joined.format,
        interpretation: joined.interpretation, bytes: joined.bytes), isLossy: isLossy)
  }

  /// Returns the pixels of one tile without its overlap.
  private func answer(
    _ tile: TileGrid.Tile, until deadline: AnswerDeadline
  ) throws(PipelineError) -> ForeignAnswer {
    let (size, column, row, held) = (session.size, tile.column, tile.row, tile.request.region)
    let address = layout.address(tile)
    // All tiles of an answer share one time limit, also if they are files.
    guard deadline.left > 0 else { throw session.error(deadline.failure, of: address) }
    // A padded tile has the size of a whole tile, or ends at the picture's edge.
    let limits = AnswerLimits(
      held.size, of: picture,
      slack: layout.isPadded
        ? max(layout.tileWidth - held.width, layout.tileHeight - held.height) : 0)
    var answer: ForeignAnswer
    if let client {
      let bytes = try client.body(
        of: address, limit: limits.mostBytes, until: deadline, for: session
      ).bytes
      answer = try CodedAnswer.decode(
        bytes, within: limits, in: scratch, isLocal: false, name: address)
    } else {
      answer = try CodedAnswer.decode(
        FilePath(address), within: limits, isLocal: false, name: address)
    }
    let own = try PixelRegion.at(
      column * layout.tileWidth - held.x, row * layout.tileHeight - held.y,
      min(layout.tileWidth, size.width - column * layout.tileWidth),
      min(layout.tileHeight, size.height - row * layout.tileHeight), of: picture.path)
    guard own.isInside(answer.pixels.size) else {
      throw session.error("\(own) is not in a tile of \(answer.pixels.size)", .fault)
    }
    // Cropped before the conversion: the padding of an edge tile may be transparent.
    answer.pixels = answer.pixels.part(own.x, own.y, own.size)
      .converted(to: picture.form(in: session.options.colour))
    return answer
  }

  /// The buffer that tiles are copied into.
  ///
  /// The first tile determines its bands and format. So the memory of the whole region is checked before
  /// the second tile is decoded, and no tile is kept.
  private struct Joined {
    let bands: Int
    let format: SampleFormat
    let interpretation: ColourInterpretation
    var bytes: [UInt8]
  }

  private func place(
    _ tile: Pixels, _ column: Int, _ row: Int, in joined: inout Joined?, of region: PixelRegion
  ) throws(PipelineError) {
    let unit = tile.bands * tile.format.byteCount
    if joined == nil {
      let limits = AnswerLimits(region.size, of: picture)
      if let refusal = limits.refusal(size: region.size, bands: tile.bands, format: tile.format) {
        throw session.error(refusal)
      }
      joined = Joined(
        bands: tile.bands, format: tile.format, interpretation: tile.interpretation,
        bytes: [UInt8](repeating: 0, count: region.area * unit))
    }
    guard joined?.bands == tile.bands, joined?.format == tile.format else {
      throw session.error("tiles of one picture have different bands or samples")
    }
    let (left, top) = (column * layout.tileWidth, row * layout.tileHeight)
    let (start, end) = (max(region.x, left), min(region.maxX, left + tile.size.width))
    let count = (end - start) * unit
    for y in max(region.y, top)..<min(region.maxY, top + tile.size.height) {
      let from = ((y - top) * tile.size.width + start - left) * unit
      let to = ((y - region.y) * region.width + start - region.x) * unit
      joined?.bytes.replaceSubrange(to..<to + count, with: tile.bytes[from..<from + count])
    }
  }
}

extension TileLayout {
  /// Reads the description of a pyramid of the session's picture; without a client, its parts are files.
  static func read(
    _ place: String, _ session: ForeignSession, by client: HTTPClient?
  ) throws(PipelineError) -> TileLayout {
    let (picture, size) = (session.picture, session.size)
    let deadline = session.options.deadline()
    let layout = try find(
      place, size: size,
      exists: { tile, side throws(PipelineError) in
        let held = try PixelRegion.at(
          0, 0, min(side, size.width), min(side, size.height), of: picture.path)
        let limit = AnswerLimits(held.size, of: picture).mostBytes
        if let client {
          return try client.bodyIfPresent(
            of: tile, limit: limit, until: deadline, for: session,
            // Object stores answer 403 for a missing file to clients that may not list files.
            absent: [403, 404, 410]) != nil
        }
        do throws(PipelineError) { _ = try FileReader(FilePath(tile)) } catch {
          guard error.code == .noSuchFile else { throw error }
          return false
        }
        return true
      }
    ) { name throws(PipelineError) in
      if let client {
        return try client.body(of: name, limit: 1 << 20, until: deadline, for: session).bytes
      }
      let file = try FileReader(FilePath(name))
      return try file.bytes(at: 0, count: min(file.length, 1 << 20))
    }
    if let stated = layout.size, stated != size {
      throw session.error(
        "\(place) says \(stated) for a picture of \(size)", .misbehaved, "open")
    }
    return layout
  }
}
