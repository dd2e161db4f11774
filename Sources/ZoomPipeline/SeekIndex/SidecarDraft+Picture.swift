internal import SystemPackage
internal import ZoomGeometry

extension SidecarDraft {
  /// Makes the sidecar of a picture of which everything is known, all read after `file` was opened.
  ///
  /// The index is complete and leads into the payload, or into the picture's file without one.
  /// - Throws: `PipelineError`: `changed` when the file is not as it was when it was opened,
  ///   `unsupported` when the sidecar would be larger than what is read back.
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

  /// Builds a picture's index and makes a sidecar of it.
  ///
  /// Of a picture that cannot be entered, a sequential form is made and indexed instead. The file is
  /// hashed on another core meanwhile.
  /// - Throws: `PipelineError`: `unsupported` when no index can be made of it, `overBudget` past the
  ///   limits, `changed` when it is written to meanwhile.
  init(of path: FilePath, limits: PictureLimits = .standard) throws(PipelineError) {
    let (identity, picture, made) = try SidecarIdentity.take(of: path, limits: limits) {
      picture throws(PipelineError) in
      try Self.index(of: picture, try Self.jpeg(picture))
    }
    try self.init(
      of: picture.file, try Self.jpeg(picture),
      contentDigest: identity.contentDigest, made.index, payload: made.payload)
  }

  /// Why a picture of another format has no index, whether one is to be built or checked.
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
      // What a file that was written to meanwhile decodes to is no reason to doubt the coefficients.
      try picture.file.assertUntouched()
      throw error
    }
  }

  /// The most bytes that a picture's sidecar can need; larger files are not read.
  ///
  /// A point at every MCU, the densest there can be, is a sixteenth of the decoded pixels. A payload
  /// is longer than its picture: by some per cent, and by far more where most blocks are empty, as
  /// their end-of-block codes (2 bytes a block at most with Annex K's tables, DC included) were
  /// coded many at a time. No bound follows from the format for arithmetic coding; 16 times is
  /// beyond what any picture was seen to need, and the headers and tables have 64 KB.
  static func largest(for jpeg: JPEGStructure, pictureLength: Int) -> Int {
    let points = jpeg.mcuCount * SeekIndex.recordSize(jpeg.components.count)
    // Entries of blocks, and of pages of these.
    let entries = (jpeg.mcuCount / SeekIndex.pointsPerBlock + 1) * 2 * SidecarHeader.entryByteCount
    let fixed = SidecarHeader.byteCount + SidecarKey.tagByteCount + entries + points
    guard SequentialForm.isNeeded(for: jpeg) else { return fixed }
    let blocks =
      jpeg.components.count == 1
      ? 1 : jpeg.components.reduce(0) { $0 + $1.horizontal * $1.vertical }
    // 2^44 bytes are beyond any picture; the bound keeps the product from overflowing.
    return fixed + 16 * min(pictureLength, 1 << 44) + 2 * blocks * jpeg.mcuCount + 1 << 16
  }
}

extension SidecarHeader.Frame {
  /// Takes what a JPEG's headers say.
  init(_ jpeg: JPEGStructure) {
    self.init(
      width: jpeg.size.width, height: jpeg.size.height, restartInterval: jpeg.restartInterval,
      factors: jpeg.components.map { UInt8($0.horizontal << 4 | $0.vertical) })
  }
}
