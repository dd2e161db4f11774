package import SystemPackage
internal import ZoomGeometry
package import ZoomPipeline

/// The tiles of a picture on a server, with their addresses, for clients that ask for many at once.
///
/// Answers are not decoded when they arrive, so that the client itself takes little time.
package struct PictureTiles: Sendable {
  package let grid: TileGrid
  fileprivate let session: ForeignSession
  /// The most pixels by which an answer may exceed its tile: padded tiles, and levels that are rounded up.
  fileprivate var slack = 0
  fileprivate let address: @Sendable (TileGrid.Tile) -> String

  /// Returns the pixels of an answer, without padding and in the form of the picture.
  ///
  /// Servers may round the size of a reduced tile up or down, so that it may lack a row or a column.
  package func pixels(
    of body: [UInt8], for tile: TileGrid.Tile, in scratch: ScratchFolder
  ) throws(PipelineError) -> (pixels: Pixels, isLossy: Bool) {
    let size = tile.request.outputSize
    let rounding = tile.request.reduction == .none ? 0 : 1
    let (width, height) = (max(1, size.width - rounding), max(1, size.height - rounding))
    let least = try PixelRegion.at(0, 0, width, height, of: session.picture.path).size
    let answer = try CodedAnswer.decode(
      body, within: AnswerLimits(least, of: session.picture, slack: slack + 2 * rounding),
      in: scratch, isLocal: false)
    let got = answer.pixels.size
    let own = try PixelRegion.at(
      0, 0, min(size.width, got.width), min(size.height, got.height), of: session.picture.path)
    let form = session.picture.form(in: session.options.colour)
    return (answer.pixels.cut(own).converted(to: form), answer.isLossy)
  }

  /// Whether JPEG has the bands and samples of the picture's answers.
  package var fitsJPEG: Bool { session.fitsJPEG }

  /// Returns a new connection to the server; one thread at a time may use it.
  package func client() throws(PipelineError) -> HTTPClient { try session.client() }

  /// Asks for a tile; redirects are not followed, because they may lead to another machine.
  package func ask(for tile: TileGrid.Tile, by client: HTTPClient) -> LoadAnswer {
    let (deadline, retries) = (session.options.deadline(), client.retries)
    // Not so small that the client reserves all of it at once: bodies are kept until they are compared.
    let limit = max(
      AnswerLimits(tile.request.outputSize, of: session.picture, slack: slack + 2).mostBytes,
      HTTPClient.mostReserved + 1)
    var answer: LoadAnswer
    do throws(AnswerFailure) {
      let reply = try client.send(
        ServerRequest("", followsRedirects: false), to: address(tile), limit: limit,
        until: deadline
      ).answer
      switch reply.status {
      case 200: answer = LoadAnswer(body: reply.body, firstByte: client.times.firstByte)
      case 429, 503: answer = LoadAnswer(.busy)
      default: answer = LoadAnswer(.refused, reason: "status \(reply.status)")
      }
      answer.times = (client.times.sent, client.times.end)
      answer.hasRetryAfter = reply.status != 200 && reply.headers["retry-after"] != nil
    } catch {
      answer = LoadAnswer(
        deadline.left == 0 ? .timedOut : error.isLost ? .reset : .failed, reason: error.reason)
    }
    answer.retries = client.retries - retries
    return answer
  }
}

extension ForeignPipeline {
  /// Whether it is a server that may be on another machine; one whose host depends on the picture may.
  package var isRemote: Bool { adapter.address.map { HTTPOrigin($0)?.isLoopback != true } ?? false }

  /// Returns the tiles of a picture on a server.
  /// - Throws: `PipelineError` if it is not a server, or describes another picture or no tiles.
  package func tiles(of path: FilePath) throws(PipelineError) -> PictureTiles {
    guard let place = adapter.address else {
      throw PipelineError(
        .unsupported, operation: "load", file: path, reason: "\(name) is not a server",
        advice: "give the address of one")
    }
    let session = ForeignSession(
      picture: try Picture(path, limits: limits), options: options, observations: observations)
    guard session.picture.orientation == .up else {
      throw session.error(
        "tiles of a picture with an EXIF orientation are not compared", .unsupported, "open",
        advice: "turn it upright first")
    }
    let filled = Placeholders.fill(place, Placeholders.values(of: path), encoded: true)
    let suffix = "/info.json"
    switch kind {
    case .iiif: return try Self.service(filled, session)
    case .tiles where filled.hasSuffix(suffix):
      return try Self.service(String(filled.dropLast(suffix.count)), session)
    case .tiles:
      let layout = try TileLayout.read(filled, session, by: try session.client())
      let grid = try layout.grid(of: session.size, in: path)
      let slack = layout.isPadded ? max(layout.tileWidth, layout.tileHeight) : 0
      return PictureTiles(grid: grid, session: session, slack: slack, address: layout.address)
    default:
      // The usual tile; the addresses allow any region.
      let tile = try TileLayout.tileSize(512, 512, of: session.size, in: path)
      let grid = TileGrid(size: session.size, tile: tile, factors: [1])
      return PictureTiles(grid: grid, session: session) { tile in
        Placeholders.fill(place, Placeholders.values(tile.request.region, of: path), encoded: true)
      }
    }
  }

  /// Returns the tiles of a IIIF service: as JPEG, which all levels of compliance offer and viewers ask for,
  /// unless it cannot hold the samples.
  private static func service(
    _ service: String, _ session: ForeignSession
  ) throws(PipelineError) -> PictureTiles {
    let information = try IIIFInformation(service, session)
    let offered = information.tiles.first
    let tile = try TileLayout.tileSize(
      offered?.width ?? 512, offered?.height ?? 512, of: information.size, in: session.picture.path)
    let grid = TileGrid(
      size: information.size, tile: tile,
      factors: offered?.scaleFactors ?? TileGrid.halvings(of: information.size, tile: tile))
    let isThree = information.version == .three
    let format = session.fitsJPEG ? "jpg" : information.format
    return PictureTiles(grid: grid, session: session) { tile in
      let (region, size) = (tile.request.region, tile.request.outputSize)
      return "\(service)/\(region.x),\(region.y),\(region.width),\(region.height)"
        + "/\(size.width),\(isThree ? "\(size.height)" : "")/0/default.\(format)"
    }
  }
}

extension ForeignSession {
  fileprivate var fitsJPEG: Bool {
    let form = picture.form(in: options.colour)
    return form.format == .uint8 && [1, 3].contains(form.bands)
  }
}
