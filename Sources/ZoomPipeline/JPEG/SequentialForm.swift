/// A JPEG with the coefficients of a picture that cannot be entered, rewritten so that it can be.
///
/// The rewrite is lossless; both files are decoded to check that their pixels are equal.
struct SequentialForm: Sendable {
  let bytes: [UInt8]
  let index: SeekIndex

  /// Whether a JPEG must be rewritten and libjpeg-turbo may be able to read its coefficients.
  static func isNeeded(for jpeg: JPEGStructure) -> Bool {
    jpeg.scanRefusal != nil && jpeg.precision == 8 && jpeg.process != .lossless
      && jpeg.process != .hierarchical
  }

  /// Rewrites a picture within its memory budget, and decodes the picture and the result once each.
  /// - Throws: `PipelineError`: as `SequentialRewrite.encoded` does, and `unsupported` when the
  ///   picture is not a JPEG or the result has different pixels.
  init(of picture: Picture) throws(PipelineError) {
    let bytes = try SequentialRewrite.encoded(
      picture.file, memoryLimit: picture.limits.memory.limit)
    let rewritten = MemoryFile(bytes, madeFrom: picture.path)
    let structure = try JPEGParser.parse(rewritten)
    index = try SeekIndex.build(of: rewritten, structure)
    guard structure.isSequentialForm(of: try picture.jpegHeaders(for: "index").structure),
      try Self.isSame(bytes, picture)
    else {
      throw PipelineError(
        .unsupported, operation: "index", file: picture.path,
        reason: "its coefficients in one scan decode to other pixels")
    }
    self.bytes = bytes
  }

  /// Whether a JPEG has the stored pixels of a picture, compared by digests strip by strip.
  static func isSame(_ bytes: [UInt8], _ picture: Picture) throws(PipelineError) -> Bool {
    try Image.open(jpeg: bytes, for: picture.path).digest(of: picture.path)
      == Image.open(picture, access: .sequential).digest(of: picture.path)
  }
}

extension JPEGStructure {
  /// Whether these may be the headers of the other JPEG's sequential form, as far as headers show.
  func isSequentialForm(of original: JPEGStructure) -> Bool {
    scanRefusal == nil && size == original.size
      && components == original.components
  }
}
