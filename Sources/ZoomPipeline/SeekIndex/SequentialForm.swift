/// A picture that cannot be entered, as a JPEG of the same coefficients that can be, with its index.
///
/// Progressive and arithmetic-coded JPEGs and those of several scans are rewritten without loss; that
/// the result has the very pixels of the picture is seen to by decoding both.
struct SequentialForm: Sendable {
  /// A sequential JPEG.
  let bytes: [UInt8]
  /// Complete; leads into `bytes`.
  let index: SeekIndex

  /// Whether a JPEG has to be rewritten, and may have coefficients that libjpeg-turbo can give.
  static func isNeeded(for jpeg: JPEGStructure) -> Bool {
    jpeg.scanRefusal != nil && jpeg.precision == 8 && jpeg.process != .lossless
      && jpeg.process != .hierarchical
  }

  /// Makes it within the picture's memory budget, and decodes picture and result once each.
  /// - Throws: `PipelineError`: as `SequentialRewrite.encoded` does, and `unsupported` for what is no
  ///   JPEG or when the result has other pixels.
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

  /// Whether a JPEG has the pixels of a picture as it is stored, taken strip by strip.
  static func isSame(_ bytes: [UInt8], _ picture: Picture) throws(PipelineError) -> Bool {
    try Image.open(jpeg: bytes, for: picture.path).digest(of: picture.path)
      == Image.open(picture, access: .sequential).digest(of: picture.path)
  }
}

extension JPEGStructure {
  /// Whether these are the headers of another JPEG's sequential form, as far as headers can tell.
  func isSequentialForm(of original: JPEGStructure) -> Bool {
    scanRefusal == nil && size == original.size
      && components == original.components
  }
}
