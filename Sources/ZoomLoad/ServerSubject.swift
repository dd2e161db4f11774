package import ForeignPipelines
internal import PixelLaws
package import SystemPackage
internal import ZoomGeometry
package import ZoomPipeline

/// A server of tiles or regions; each lane keeps a connection to it.
package final class ServerSubject: LoadSubject {
  package let pictures: [TileGrid]
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

  package func fault(
    _ digest: UInt64, body: [UInt8]?, of part: LoadPart
  ) throws(Unchecked) -> AnswerFault? {
    guard let body else { throw .bodyNotKept }
    guard let whole = try? references[part.picture].whole() else { throw .notDecoded }
    let request = part.tile.request
    let got: (pixels: Pixels, isLossy: Bool)
    do throws(PipelineError) {
      got = try tiles[part.picture].pixels(of: body, for: part.tile, in: scratch)
    } catch {
      // The disk is this machine's, not the server's.
      if error.code == .unwritable { throw Unchecked(reason: error.reason) }
      return AnswerFault(.short, error.reason)
    }
    let expected = whole.cut(request.region).reduced(by: request.reduction)
    if got.isLossy, !tiles[part.picture].fitsJPEG,
      got.pixels.bands != expected.bands || got.pixels.format != expected.format
    {
      throw Unchecked(reason: "its format cannot hold the picture's samples")
    }
    return request.reduction == .none
      ? AnswerFault(got.pixels, expected: expected, isLossy: got.isLossy)
      : Self.fault(ofReduced: got.pixels, expected)
  }

  /// Compares a reduced tile with block means, both reduced again.
  ///
  /// Servers reduce by different kernels, which differ by many levels in single pixels, but hardly in the
  /// means of sixteen.
  static func fault(ofReduced got: Pixels, _ expected: Pixels) -> AnswerFault? {
    let common = PixelRegion(
      uncheckedX: 0, y: 0, width: min(got.size.width, expected.size.width),
      height: min(got.size.height, expected.size.height))
    let seen = PixelComparison(
      got.cut(common).reduced(by: .quarter), expected: expected.cut(common).reduced(by: .quarter))
    if let difference = seen.formDifference { return AnswerFault(.wrong, difference) }
    let share = seen.meanDifference / expected.sampleType.fullScale
    // Lossy coding may cause less, as in `verify`.
    guard share > 0.05 else { return nil }
    return AnswerFault(
      .wrong, "samples differ by \(Int(min(1, share) * 100)) % of full scale on average")
  }

  package func endChecks() {
    for reference in references { reference.forget() }
  }
}
