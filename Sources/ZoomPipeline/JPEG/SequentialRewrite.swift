internal import CJPEG
internal import SystemPackage

/// A rewrite of a JPEG, with the same coefficients, that can be entered at every MCU row.
///
/// Progressive JPEGs and those of several scans spread a block's coefficients over the file, so a
/// region cannot be read without decoding all of them. Rewritten, they decode to the same pixels.
enum SequentialRewrite {
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
    guard outcome.status == CJPEG_OK else { throw error(outcome, file.path, memoryLimit) }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: length))
  }

  private static func error(
    _ outcome: LibJPEGOutcome, _ file: FilePath, _ memoryLimit: Int
  ) -> PipelineError {
    let code: PipelineError.Code
    let advice: String?
    switch outcome.status {
    case CJPEG_UNSUPPORTED: (code, advice) = (.unsupported, nil)
    case CJPEG_TOO_LARGE: (code, advice) = (.overBudget, "allow more than \(memoryLimit) bytes")
    case CJPEG_UNREADABLE: (code, advice) = (.unreadable, "check that the file can be read")
    default: (code, advice) = (.damaged, "get a whole copy of the file")
    }
    return PipelineError(
      code, operation: "rewrite", file: file, reason: outcome.message, advice: advice)
  }
}
