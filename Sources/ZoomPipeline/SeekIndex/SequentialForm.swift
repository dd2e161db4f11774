internal import SystemPackage

/// A picture that cannot be entered, as a JPEG of the same coefficients that can be, with its index.
///
/// Progressive and arithmetic-coded JPEGs and those of several scans are rewritten without loss; that
/// the result has the very pixels of the picture is seen to by decoding both.
package struct SequentialForm: Sendable {
  /// A sequential JPEG.
  let bytes: [UInt8]
  /// Complete; leads into `bytes`.
  let index: SeekIndex

  /// The most bytes that making one takes unless told otherwise.
  ///
  /// libjpeg holds all coefficients of such a picture to decode it, two bytes each: 3 a pixel at
  /// 4:2:0. 4 GB are a gigapixel and its sequential form with its copies.
  package static let standardMemoryLimit = 4 << 30

  /// Whether a JPEG has to be rewritten, and may have coefficients that libjpeg-turbo can give.
  static func isNeeded(for jpeg: JPEGStructure) -> Bool {
    jpeg.scanRefusal != nil && jpeg.precision == 8 && jpeg.process != .lossless
      && jpeg.process != .hierarchical
  }

  /// Makes it, and decodes picture and result once each.
  /// - Parameters:
  ///   - file: the picture.
  ///   - jpeg: its headers.
  ///   - memoryLimit: see `SequentialRewrite.encoded`.
  /// - Throws: `PipelineError`: as `SequentialRewrite.encoded` does, and `unsupported` when the result
  ///   has other pixels.
  init(of file: FileReader, _ jpeg: JPEGStructure, memoryLimit: Int) throws(PipelineError) {
    let bytes = try SequentialRewrite.encoded(file, memoryLimit: memoryLimit)
    let rewritten = MemoryFile(bytes, madeFrom: file.path)
    let structure = try JPEGParser.parse(rewritten)
    index = try SeekIndex.build(of: rewritten, structure)
    guard structure.isSequentialForm(of: jpeg), try Self.isSame(bytes, file.path) else {
      throw PipelineError(
        .unsupported, operation: "index", file: file.path,
        reason: "its coefficients in one scan decode to other pixels")
    }
    self.bytes = bytes
  }

  /// Whether a JPEG has the pixels of a file as it is stored, taken strip by strip.
  static func isSame(_ bytes: [UInt8], _ path: FilePath) throws(PipelineError) -> Bool {
    try Image.open(jpeg: bytes, for: path).digest(of: path)
      == Image.open(try Picture(path), access: .sequential).digest(of: path)
  }
}

extension JPEGStructure {
  /// Whether these are the headers of another JPEG's sequential form, as far as headers can tell.
  func isSequentialForm(of original: JPEGStructure) -> Bool {
    scanRefusal == nil && size == original.size
      && components == original.components
  }
}
