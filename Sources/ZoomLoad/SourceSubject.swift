package import ForeignPipelines
internal import PixelLaws
internal import Synchronization
package import SystemPackage
package import ZoomGeometry
package import ZoomPipeline

/// A region source of ours, which all readers share, or a program with a process for each lane.
package final class SourceSubject: LoadSubject {
  package let pictures: [TileGrid]
  private let pipeline: any Pipeline
  private let isProgram: Bool
  private let paths: [FilePath]
  /// A source for each lane and picture, or one for each picture that all lanes share.
  private let sources: [any RegionSource]
  private let references: [ReferencePicture]
  private let alone = Mutex<[Int: any RegionSource]>([:])

  /// Opens the pictures; `rows` is the number of openings of each, one for all lanes or one for each.
  ///
  /// Programs answer at full size only, so their viewers do not zoom out.
  package init(
    _ pipeline: any Pipeline, _ paths: [FilePath], tile: PixelSize?, rows: Int,
    limits: PictureLimits
  ) throws(PipelineError) {
    let isProgram = pipeline is ForeignPipeline
    (self.pipeline, self.paths, self.isProgram) = (pipeline, paths, isProgram)
    references = try paths.map { path throws(PipelineError) in
      try ReferencePicture(path, limits: limits, colour: pipeline.colour)
    }
    let opened = repeatElement(paths, count: rows).joined()
    sources = try opened.map { path throws(PipelineError) in try pipeline.open(path) }
    pictures = sources.prefix(paths.count).map { source in
      TileGrid(
        size: source.size, tile: tile,
        factors: isProgram ? [1] : TileGrid.halvings(of: source.size, tile: tile ?? Self.screen))
    }
  }

  package var worksInThread: Bool { !isProgram }

  /// The size below which whole regions are not reduced further.
  private static let screen = PixelRegion(uncheckedX: 0, y: 0, width: 512, height: 512).size

  package func answer(_ part: LoadPart, lane: Int) -> LoadAnswer {
    let source = sources[(lane * paths.count + part.picture) % sources.count]
    do throws(PipelineError) {
      // A digest decides about exact bytes, so only bodies of programs are kept.
      return LoadAnswer(
        body: try source.read(part.tile.request).pixels.bytes, keepsBody: isProgram)
    } catch {
      return LoadAnswer(error.code == .outOfTime ? .timedOut : .failed, reason: error.reason)
    }
  }

  package func verdict(on digest: UInt64, body: [UInt8]?, of part: LoadPart) -> AnswerVerdict {
    let expected: Pixels
    do throws(PipelineError) { expected = try rightPixels(of: part) } catch {
      return .unchecked(error.reason)
    }
    if LoadAnswer.digest(expected.bytes) == digest { return .right }
    if isProgram, !pipeline.isExact, body == nil { return .bodyNotKept }
    guard let body, body.count == expected.bytes.count else {
      return .faulty(.wrong, "other pixels than a full decode")
    }
    let got = Pixels(
      size: expected.size, bands: expected.bands, format: expected.format,
      interpretation: expected.interpretation, bytes: body)
    return AnswerVerdict(got, expected: expected, isLossy: !pipeline.isExact)
  }

  /// Returns pixels of a full decode; a reduced part is read by the same source, asked alone.
  ///
  /// Decoders reduce in their own ways, which `verify` judges. A picture that is too large to be
  /// decoded whole is compared in the second way, too; not for a program, whose faults are unknown.
  private func rightPixels(of part: LoadPart) throws(PipelineError) -> Pixels {
    let (request, reference) = (part.tile.request, references[part.picture])
    if isProgram { return try reference.whole().cut(request.region) }
    if request.reduction == .none, let whole = try? reference.whole() {
      return whole.cut(request.region)
    }
    return try alone.withLock { (kept) throws(PipelineError) -> Pixels in
      let (picture, path) = (part.picture, paths[part.picture])
      let source = if let open = kept[picture] { open } else { try pipeline.open(path) }
      kept[picture] = source
      return try source.read(request).pixels
    }
  }

  package func endChecks() {
    for reference in references { reference.forget() }
    alone.withLock { $0 = [:] }
  }
}
