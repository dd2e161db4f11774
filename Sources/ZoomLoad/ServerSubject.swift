package import ForeignPipelines
internal import PixelLaws
package import SystemPackage
internal import ZoomGeometry
package import ZoomPipeline

/// A server of tiles or regions; each lane keeps a connection to it.
package final class ServerSubject: LoadSubject {
  package let pictures: [TileGrid]
  package let worksInThread = false
  private let tiles: [PictureTiles]
  private let clients: [HTTPClient]
  private let references: [ReferencePicture]
  let scratch: ScratchFolder

  /// Reads the server's descriptions of some pictures; throws if it is not a server.
  package init(
    _ pipeline: ForeignPipeline, _ paths: [FilePath], lanes: Int, limits: PictureLimits
  ) throws(PipelineError) {
    let tiles = try paths.map { path throws(PipelineError) in try pipeline.tiles(of: path) }
    clients = try (0..<lanes).map { _ throws(PipelineError) in try tiles[0].client() }
    self.tiles = tiles
    pictures = tiles.map(\.grid)
    references = try paths.map { path throws(PipelineError) in
      try ReferencePicture(path, limits: limits, colour: pipeline.colour)
    }
    scratch = try ScratchFolder()
  }

  package func answer(_ part: LoadPart, lane: Int) -> LoadAnswer {
    tiles[part.picture].ask(for: part.tile, by: clients[lane])
  }

  package func verdict(on digest: UInt64, body: [UInt8]?, of part: LoadPart) -> AnswerVerdict {
    guard let body else { return .bodyNotKept }
    let request = part.tile.request
    var isDecoded = false
    do throws(PipelineError) {
      let right = try references[part.picture].whole().cut(request.region)
        .reduced(by: request.reduction)
      isDecoded = true
      let got = try tiles[part.picture].pixels(of: body, for: part.tile, in: scratch)
      if got.isLossy, !tiles[part.picture].fitsJPEG,
        got.pixels.bands != right.bands || got.pixels.format != right.format
      {
        return .unchecked("its format cannot hold the picture's samples")
      }
      return request.reduction == .none
        ? AnswerVerdict(got.pixels, expected: right, isLossy: got.isLossy)
        : Self.verdict(onReduced: got.pixels, right)
    } catch {
      // The memory for the whole picture and the disk are this machine's, not the server's.
      return !isDecoded || error.code == .unwritable
        ? .unchecked(error.reason) : .faulty(.short, error.reason)
    }
  }

  /// Compares a reduced tile with block means, both reduced again.
  ///
  /// Servers reduce by different kernels, which differ by many levels in single pixels, but hardly in the
  /// means of sixteen.
  static func verdict(onReduced got: Pixels, _ expected: Pixels) -> AnswerVerdict {
    // The server may have rounded the size down.
    let common = expected.cut(PixelRegion(whole: got.size))
    let seen = PixelComparison(got.reduced(by: .quarter), expected: common.reduced(by: .quarter))
    if let difference = seen.formDifference { return .faulty(.wrong, difference) }
    let share = seen.meanDifference / expected.sampleType.fullScale
    // Lossy coding may cause less, as in `verify`.
    guard share > 0.05 else { return .right }
    return .faulty(
      .wrong, "samples differ by \(Int(min(1, share) * 100)) % of full scale on average")
  }

  package func endChecks() { for reference in references { reference.forget() } }
}
