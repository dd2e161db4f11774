internal import CJPEG
internal import SystemPackage

/// A rewrite of a JPEG, with the same coefficients, that can be entered at every MCU row.
///
/// Progressive JPEGs and those of several scans spread a block's coefficients over the file, so a
/// region cannot be read without decoding all of them. The rewrite decodes to the same pixels.
enum SequentialForm {
  /// Whether a JPEG must be rewritten and libjpeg-turbo may be able to read its coefficients.
  static func isNeeded(for jpeg: JPEGStructure) -> Bool {
    jpeg.scanRefusal != nil && jpeg.precision == 8 && jpeg.process != .lossless
      && jpeg.process != .hierarchical
  }

  /// Rewrites a picture within its memory budget, and decodes the picture and the result once each.
  /// - Returns: The index of the result, with the result as its payload.
  /// - Throws: `PipelineError`: as `encoded` does, and `unsupported` when the picture is not a JPEG
  ///   or the result has different pixels.
  static func index(of picture: Picture) throws(PipelineError) -> CompleteIndex {
    let bytes = try encoded(picture.file, memoryLimit: picture.limits.memory.limit)
    let rewritten = MemoryFile(bytes, madeFrom: picture.path)
    let structure = try JPEGParser.parse(rewritten)
    let index = try SeekIndex.build(of: rewritten, structure)
    guard structure.isSequentialForm(of: try picture.anyJPEG(for: "index")),
      try isSame(bytes, picture)
    else {
      throw .refusal(
        "index", picture.path, "its coefficients in one scan decode to other pixels")
    }
    return CompleteIndex(index, payload: bytes)
  }

  /// Whether a JPEG has the stored pixels of a picture, compared by digests strip by strip.
  static func isSame(_ bytes: [UInt8], _ picture: Picture) throws(PipelineError) -> Bool {
    try Image.open(jpeg: bytes, for: picture.path).digest(of: picture.path)
      == Image.open(picture).digest(of: picture.path)
  }

  /// Returns a JPEG rewritten in one Huffman-coded sequential scan.
  ///
  /// The result has a restart marker at every MCU row and optimised tables: SOF0, or SOF1 if
  /// quantisation steps exceed 255. Of the metadata it has only the JFIF and Adobe markers, which
  /// determine the colours. `memoryLimit` bounds the bytes of the coefficients (two each) and of
  /// the result with its copies together; it is checked before memory is allocated.
  /// - Throws: `damaged` when the file is truncated or libjpeg warns, `unsupported` when
  ///   libjpeg-turbo cannot read the coefficients or would invent some, `overBudget` past the
  ///   limit, `unreadable` when reading fails.
  static func encoded(
    _ file: FileReader, memoryLimit: Int
  ) throws(PipelineError) -> [UInt8] {
    var bytes: UnsafeMutablePointer<UInt8>?
    var length = 0
    let outcome = file.withDescriptor { descriptor in
      unsafe LibJPEGOutcome { message in
        unsafe cjpeg_rewrite(descriptor, max(0, memoryLimit), &bytes, &length, message)
      }
    }
    defer { unsafe cjpeg_free(bytes) }
    let code: PipelineError.Code
    let advice: String?
    switch outcome.status {
    case CJPEG_OK: return unsafe Array(UnsafeBufferPointer(start: bytes, count: length))
    case CJPEG_UNSUPPORTED: (code, advice) = (.unsupported, nil)
    case CJPEG_TOO_LARGE: (code, advice) = (.overBudget, "allow more than \(memoryLimit) bytes")
    case CJPEG_UNREADABLE: (code, advice) = (.unreadable, "check that the file can be read")
    default: (code, advice) = (.damaged, "get a whole copy of the file")
    }
    throw PipelineError(
      code, operation: "rewrite", file: file.path, reason: outcome.message, advice: advice)
  }
}

extension JPEGStructure {
  /// Whether these may be the headers of the other JPEG's sequential form, as far as headers show.
  func isSequentialForm(of original: JPEGStructure) -> Bool {
    scanRefusal == nil && size == original.size
      && components == original.components
  }
}
