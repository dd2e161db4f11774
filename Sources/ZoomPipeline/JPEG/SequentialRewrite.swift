internal import CJPEG
internal import SystemPackage

/// A JPEG written anew so that it can be entered at every MCU row, with the same coefficients.
///
/// Progressive JPEGs and those of several scans spread a block's coefficients over the file: nothing
/// short of decoding all of them gives a region. Their coefficients, coded once more in one sequential
/// scan with restart markers, decode to the very pixels of the original.
enum SequentialRewrite {
  /// Writes a JPEG anew, in memory.
  ///
  /// The result is a Huffman-coded sequential JPEG (SOF0, or SOF1 where quantisation steps above 255
  /// ask for it) of one scan, with a restart marker at every MCU row and the shortest tables. Of the
  /// metadata only what decides the colours is carried over: JFIF's and Adobe's marker.
  ///
  /// `memoryLimit` bounds the bytes of the coefficients, two each, and of the result with its copies
  /// together; checked before any of it is asked for.
  /// - Throws: `damaged` when the file is cut off or libjpeg warns, `unsupported` when libjpeg-turbo
  ///   cannot read its coefficients or would make some up, `overBudget` past the limit, `unreadable`
  ///   when reading fails.
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
