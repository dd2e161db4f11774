internal import SystemPackage
internal import ZoomGeometry
internal import ZoomPipeline

/// A pyramid of tiles in a folder or on a server; regions are put together from tiles of the full size.
struct TilesAdapter: ForeignAdapter {
  let place: String
  let options: ForeignOptions
  var summary: String { "put tiles together: \(place)" }
  var opensAnyFile: Bool { false }

  func open(
    _ picture: Picture, _: ForeignObservations
  ) throws(PipelineError) -> any ForeignConnection {
    try TilesConnection(place, options, picture)
  }
}

private final class TilesConnection: ForeignConnection {
  private let picture: Picture
  private let size: PixelSize
  private let layout: TileLayout
  /// Nil where tiles are files.
  private let client: HTTPClient?
  private let scratch: ScratchFolder
  let state = SourceState.openFile

  init(
    _ place: String, _ options: ForeignOptions, _ picture: Picture
  ) throws(PipelineError) {
    let isRemote = place.hasPrefix("http://") || place.hasPrefix("https://")
    let place = Placeholders.fill(place, Placeholders.values(of: picture.path)) {
      isRemote ? Placeholders.encoded($0) : $0
    }
    let client = isRemote ? try HTTPClient.make(options, for: picture) : nil
    self.client = client
    self.picture = picture
    size = options.isUpright ? picture.size : picture.storedSize
    scratch = try ScratchFolder()
    let deadline = options.deadline()
    layout = try TileLayout.find(place, size: size) { name throws(PipelineError) in
      // Descriptions are of some kilobytes.
      if let client {
        return try client.body(of: name, limit: 1 << 20, until: deadline, for: picture).bytes
      }
      let file = try FileReader(FilePath(name))
      return try file.bytes(at: 0, count: min(file.length, 1 << 20))
    }
    guard layout.size == nil || layout.size == size else {
      throw PipelineError(
        .misbehaved, operation: "open", file: picture.path,
        reason: "\(place) says \(layout.size.map { "\($0)" } ?? "") for a picture of \(size)")
    }
  }

  func region(
    _ region: PixelRegion, until deadline: AnswerDeadline
  ) throws(PipelineError) -> ForeignAnswer {
    var columns: [(rows: Range<Int>, columns: Range<Int>, tile: Pixels)] = []
    var isLossy = false
    for row in region.y / layout.tileHeight...(region.maxY - 1) / layout.tileHeight {
      for column in region.x / layout.tileWidth...(region.maxX - 1) / layout.tileWidth {
        let answer = try tile(column, row, until: deadline)
        isLossy = isLossy || answer.isLossy
        columns.append(
          (
            max(
              region.y, row * layout.tileHeight)..<min(region.maxY, (row + 1) * layout.tileHeight),
            max(
              region.x, column * layout.tileWidth)..<min(
                region.maxX, (column + 1) * layout.tileWidth),
            answer.pixels
          ))
      }
    }
    return ForeignAnswer(pixels: try put(columns, together: region), isLossy: isLossy)
  }

  /// One tile's own part, without what it holds of its neighbours.
  private func tile(
    _ column: Int, _ row: Int, until deadline: AnswerDeadline
  ) throws(PipelineError) -> ForeignAnswer {
    let held: PixelRegion
    do { held = try layout.region(column, row, of: size) } catch {
      throw PipelineError(.fault, operation: "read", file: picture.path, reason: "\(error)")
    }
    let address = layout.address(column, row, held)
    // One limit holds for all tiles of an answer, files among them.
    guard deadline.left > 0 else {
      throw deadline.failure.error(of: address, reading: picture.path)
    }
    // A padded tile has a whole tile's size, or ends where the picture does.
    let limits = AnswerLimits(
      held.size, of: picture,
      slack: layout.isPadded
        ? max(layout.tileWidth - held.width, layout.tileHeight - held.height) : 0)
    var answer: ForeignAnswer
    if let client {
      let bytes = try client.body(
        of: address, limit: limits.mostBytes, until: deadline, for: picture
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
    // Cut first: a last tile may be filled up with transparent pixels.
    answer.pixels = try answer.pixels.cropped(to: own, of: picture.path).inForm(of: picture)
    return answer
  }

  private func put(
    _ parts: [(rows: Range<Int>, columns: Range<Int>, tile: Pixels)], together region: PixelRegion
  ) throws(PipelineError) -> Pixels {
    guard let first = parts.first?.tile,
      parts.allSatisfy({ $0.tile.bands == first.bands && $0.tile.format == first.format })
    else {
      throw PipelineError(
        .misbehaved, operation: "read", file: picture.path,
        reason: "tiles of one picture have different bands or samples")
    }
    let unit = first.bands * first.format.byteCount
    var bytes = [UInt8](repeating: 0, count: region.area * unit)
    for part in parts {
      let count = part.columns.count * unit
      for y in part.rows {
        let from =
          ((y % layout.tileHeight) * part.tile.size.width + part.columns.lowerBound
            % layout.tileWidth)
          * unit
        let to =
          ((y - region.y) * region.width + part.columns.lowerBound - region.x) * unit
        bytes.replaceSubrange(to..<to + count, with: part.tile.bytes[from..<from + count])
      }
    }
    return Pixels(
      size: region.size, bands: first.bands, format: first.format,
      interpretation: first.interpretation, bytes: bytes)
  }

  func forget() {}
}

extension Pixels {
  /// A part of the pixels.
  func cropped(to region: PixelRegion, of file: FilePath) throws(PipelineError) -> Pixels {
    guard region.isInside(size) else {
      throw PipelineError(
        .fault, operation: "read", file: file, reason: "\(region) is not in a tile of \(size)")
    }
    if region.size == size { return self }
    let unit = bands * format.byteCount
    var part: [UInt8] = []
    part.reserveCapacity(region.area * unit)
    for y in region.y..<region.maxY {
      let start = (y * size.width + region.x) * unit
      part += bytes[start..<start + region.width * unit]
    }
    return Pixels(
      size: region.size, bands: bands, format: format, interpretation: interpretation, bytes: part)
  }
}
