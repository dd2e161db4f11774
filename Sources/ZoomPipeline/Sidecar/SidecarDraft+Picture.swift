internal import SystemPackage
internal import ZoomGeometry

extension SidecarDraft {
  /// Creates the sidecar of a picture from facts that were all read after `file` was opened.
  ///
  /// - Throws: `PipelineError`: `changed` when the file has changed since it was opened,
  ///   `unsupported` when the sidecar would exceed the size that readers accept.
  init(
    of file: FileReader, _ jpeg: JPEGStructure, contentDigest: [UInt8], _ index: SeekIndex,
    payload: [UInt8]? = nil
  ) throws(PipelineError) {
    func failure(_ code: PipelineError.Code, _ reason: String) -> PipelineError {
      PipelineError(
        code, operation: "index", file: file.path, reason: reason,
        advice: code == .changed ? "index it again" : nil)
    }
    guard try FileVersion(of: file.path) == file.version else {
      throw failure(.changed, "the file changed meanwhile")
    }
    guard index.mcuCount == jpeg.mcuCount,
      let draft = SidecarDraft(
        version: file.version, contentDigest: contentDigest, frame: SidecarHeader.Frame(jpeg),
        index: index, payload: payload),
      payload != nil || draft.header.codedStart == jpeg.codedStart
    else { throw failure(.fault, "the index is of another picture") }
    guard draft.header.fileByteCount <= Self.largest(for: jpeg, pictureLength: file.length) else {
      throw failure(.unsupported, "its sequential form is too large to be kept")
    }
    self = draft
  }

  /// Builds the index of a picture or its sequential form, and creates a sidecar from it.
  /// - Throws: `PipelineError`: `unsupported` when the picture cannot be indexed, `overBudget` past
  ///   the limits, `changed` when the file is written to meanwhile.
  init(of path: FilePath, limits: PictureLimits = .standard) throws(PipelineError) {
    let (identity, picture, made) = try SidecarIdentity.take(of: path, limits: limits) {
      picture throws(PipelineError) in
      try Self.index(of: picture, try Self.jpeg(picture))
    }
    try self.init(
      of: picture.file, try Self.jpeg(picture),
      contentDigest: identity.contentDigest, made.index, payload: made.payload)
  }

  static let otherFormat = "indexes are stored for JPEGs and PNGs only"

  private static func jpeg(_ picture: Picture) throws(PipelineError) -> JPEGStructure {
    try picture.jpegHeaders(
      for: "index", otherwise: Self.otherFormat
    ).structure
  }

  private static func index(
    of picture: Picture, _ jpeg: JPEGStructure
  ) throws(PipelineError) -> (index: SeekIndex, payload: [UInt8]?) {
    guard SequentialForm.isNeeded(for: jpeg) else {
      return (try SeekIndex.build(of: picture.file, jpeg), nil)
    }
    do throws(PipelineError) {
      let form = try SequentialForm(of: picture)
      return (form.index, form.bytes)
    } catch {
      // If the file was written to meanwhile, that is the error to report.
      try picture.file.assertUntouched()
      throw error
    }
  }

  /// Returns the maximum size of a picture's sidecar in bytes; larger files are not read.
  ///
  /// An index is densest with a point at every MCU: that is at most an eighth of the decoded
  /// pixels. A payload is some per cent longer than its picture, or far longer if most blocks are
  /// empty: a progressive picture codes many ends of blocks at once, a payload needs up to 2 bytes
  /// per block (Annex K's tables, with DC). For arithmetic coding the format sets no bound; 16
  /// times the length is more than any known picture needs. Headers and tables get 64 KB.
  static func largest(for jpeg: JPEGStructure, pictureLength: Int) -> Int {
    let points = jpeg.mcuCount * SeekIndex.recordSize(jpeg.components.count)
    // The entries of blocks, and of pages of blocks.
    let entries = (jpeg.mcuCount / SeekIndex.pointsPerBlock + 1) * 2 * SidecarHeader.entryByteCount
    let fixed = SidecarHeader.byteCount + SidecarKey.tagByteCount + entries + points
    guard SequentialForm.isNeeded(for: jpeg) else { return fixed }
    let blocks =
      jpeg.components.count == 1
      ? 1 : jpeg.components.reduce(0) { $0 + $1.horizontal * $1.vertical }
    // No picture has 2^44 bytes; the bound prevents overflow of the product.
    return fixed + 16 * min(pictureLength, 1 << 44) + 2 * blocks * jpeg.mcuCount + 1 << 16
  }
}

extension SidecarHeader.Frame {
  init(_ jpeg: JPEGStructure) {
    self.init(
      width: jpeg.size.width, height: jpeg.size.height, restartInterval: jpeg.restartInterval,
      factors: jpeg.components.map { UInt8($0.horizontal << 4 | $0.vertical) })
  }
}
