internal import CJPEG
internal import SystemPackage
internal import ZoomGeometry

/// Decodes parts of JPEGs with libjpeg-turbo itself, where its answer is known to be libvips' own.
///
/// libvips decodes JPEGs with the same library, so pixels are equal as long as both ask for the same
/// inverse DCT, upsampling and colours. What this leaves out is libvips' machinery around it, which
/// takes longer than the decoding of a small region.
enum JPEGDecoder {
  /// Decodes a rectangle of a JPEG that stands in memory.
  ///
  /// - Parameters:
  ///   - encoded: the JPEG.
  ///   - region: in pixels of the decoded picture, that is of the reduced one.
  ///   - reduction: by how much the inverse DCT reduces.
  ///   - bands: samples a pixel that the picture is to have, of 8 bits each.
  ///   - interpretation: what they are to mean.
  ///   - file: what errors name.
  /// - Returns: the rectangle's pixels; nil where libjpeg-turbo fails or warns, and for colours that
  ///   libvips may give otherwise. libvips then has to decode the same bytes, or to say what is wrong.
  /// - Throws: `PipelineError` of code `outside` when the region is not inside the decoded picture, and
  ///   of code `fault` without memory.
  static func decode(
    _ encoded: [UInt8], region: PixelRegion, reduction: Reduction, bands: Int,
    interpretation: ColourInterpretation, file: FilePath
  ) throws(PipelineError) -> Pixels? {
    var result = Result<Bool, PipelineError>.success(false)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: region.area * bands) {
      buffer, initialized in
      result = Result { () throws(PipelineError) in
        try unsafe decode(
          encoded, region: region, reduction: reduction, bands: bands,
          interpretation: interpretation, file: file,
          into: UnsafeMutableBufferPointer(rebasing: buffer[..<(region.area * bands)]))
      }
      initialized = (try? result.get()) == true ? region.area * bands : 0
    }
    guard try result.get() else { return nil }
    return Pixels(
      size: region.size, bands: bands, format: .uint8, interpretation: interpretation, bytes: bytes)
  }

  /// Decodes as `decode` without a target does, into memory of the caller's.
  ///
  /// - Parameters:
  ///   - encoded: the JPEG.
  ///   - region: as there.
  ///   - reduction: as there.
  ///   - bands: as there.
  ///   - interpretation: as there.
  ///   - file: as there.
  ///   - target: room for just the rectangle.
  /// - Returns: whether it was written; if not, what is in `target` means nothing.
  /// - Throws: as there.
  static func decode(
    _ encoded: [UInt8], region: PixelRegion, reduction: Reduction, bands: Int,
    interpretation: ColourInterpretation, file: FilePath,
    into target: UnsafeMutableBufferPointer<UInt8>
  ) throws(PipelineError) -> Bool {
    guard isKnown(bands, interpretation) else { return false }
    precondition(target.count == region.area * bands)
    let part = try rectangle(region, file)
    let outcome = unsafe encoded.withUnsafeBufferPointer { source in
      unsafe LibJPEGOutcome { message in
        unsafe cjpeg_decode(
          source.baseAddress, source.count, Int32(reduction.rawValue), part, Int32(bands),
          target.baseAddress, message)
      }
    }
    return try outcome.hasPixels(region, file)
  }

  /// What a decode from the top of an open file went through.
  struct Reach {
    /// Bytes taken from the file.
    let bytesRead: Int
    /// The MCU rows that were decoded, not only passed over; they may end below the picture.
    let mcuRows: Range<Int>
    /// The columns of pixels that were inverse transformed, in the reduced picture.
    let columns: Range<Int>
  }

  /// Decodes a rectangle of a JPEG of one scan, passing over the rows above it.
  ///
  /// - Parameters:
  ///   - file: the open file.
  ///   - region: in pixels of the reduced picture.
  ///   - reduction: by how much the inverse DCT reduces.
  ///   - bands: samples a pixel that the picture has, of 8 bits each.
  ///   - interpretation: what they mean.
  /// - Returns: the rectangle's pixels and what they cost; nil as `decode` does.
  /// - Throws: `PipelineError`, as `decode` does.
  static func read(
    _ file: FileReader, region: PixelRegion, reduction: Reduction, bands: Int,
    interpretation: ColourInterpretation
  ) throws(PipelineError) -> (pixels: Pixels, reach: Reach)? {
    guard isKnown(bands, interpretation) else { return nil }
    let part = try rectangle(region, file.path)
    var outcome = LibJPEGOutcome()
    var reach = cjpeg_reach()
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: region.area * bands) {
      buffer, initialized in
      file.withDescriptor { descriptor in
        outcome = unsafe LibJPEGOutcome { message in
          unsafe cjpeg_read_region(
            descriptor, Int32(reduction.rawValue), part, Int32(bands),
            buffer.baseAddress, &reach, message)
        }
      }
      initialized = outcome.status == CJPEG_OK ? buffer.count : 0
    }
    guard try outcome.hasPixels(region, file.path) else { return nil }
    let pixels = Pixels(
      size: region.size, bands: bands, format: .uint8, interpretation: interpretation, bytes: bytes)
    return (
      pixels,
      Reach(
        bytesRead: Int(reach.bytes_read),
        mcuRows: Int(reach.first_row)..<Int(reach.end_row),
        columns: Int(reach.first_column)..<Int(reach.end_column))
    )
  }

  /// Whether libvips gives these bands for a JPEG whose colours mean the same to libjpeg.
  static func isKnown(_ bands: Int, _ interpretation: ColourInterpretation) -> Bool {
    switch bands {
    case 1: interpretation == .grey
    case 3: interpretation == .srgb
    case 4: interpretation == .cmyk
    default: false
    }
  }

  /// The region for C; its far edges are checked there, where the decoded size is known.
  private static func rectangle(
    _ region: PixelRegion, _ file: FilePath
  ) throws(PipelineError) -> cjpeg_rectangle {
    guard let left = UInt32(exactly: region.x), let top = UInt32(exactly: region.y),
      let width = UInt32(exactly: region.width), let height = UInt32(exactly: region.height)
    else { throw .outsideJPEG(region, file) }
    return cjpeg_rectangle(left: left, top: top, width: width, height: height)
  }
}

/// How a call of libjpeg-turbo ended.
struct LibJPEGOutcome {
  private(set) var status = CJPEG_OK
  /// libjpeg's words, in one line; empty after success.
  private(set) var message = ""

  /// No call yet.
  init() {}

  /// Makes a call.
  /// - Parameter call: gets the buffer for the message and gives the status.
  init(_ call: (UnsafeMutablePointer<CChar>) -> cjpeg_status) {
    // Written by every call: the first byte at least.
    (status, message) = unsafe withUnsafeTemporaryAllocation(
      of: CChar.self, capacity: Int(CJPEG_MESSAGE_SIZE)
    ) { buffer in
      guard let start = buffer.baseAddress else { return (CJPEG_TOO_LARGE, "") }
      let status = unsafe call(start)
      return unsafe (status, status == CJPEG_OK ? "" : String(cString: start))
    }
  }

  /// Whether pixels were written; false where another decoder has to be asked.
  fileprivate func hasPixels(
    _ region: PixelRegion, _ file: FilePath
  ) throws(PipelineError) -> Bool {
    switch status {
    case CJPEG_OK: return true
    case CJPEG_OUTSIDE: throw .outsideJPEG(region, file)
    case CJPEG_TOO_LARGE:
      throw PipelineError(.fault, operation: "decode", file: file, reason: message)
    default: return false
    }
  }
}

extension PipelineError {
  fileprivate static func outsideJPEG(_ region: PixelRegion, _ file: FilePath) -> PipelineError {
    PipelineError(
      .outside, operation: "decode", file: file,
      reason: "region \(region) is not inside the decoded JPEG",
      advice: "clamp the region to the picture first")
  }
}

extension PixelSize {
  /// The size to tell a JPEG's decoder so that it reduces parts of blocks at the edges too.
  ///
  /// libvips leaves out what is not a whole block (8.14: 199 pixels reduced by two are 99). The MCUs
  /// of a JPEG hold whole blocks always, so with its sides rounded up to blocks they stay as many,
  /// libjpeg decodes the same, and libvips has nothing to leave out.
  /// - Returns: nil when a side is then longer than libjpeg's largest, 65,500 pixels.
  func ofWholeJPEGBlocks(_ reduction: Reduction) -> PixelSize? {
    let width = reduction.reduced(width) * reduction.rawValue
    let height = reduction.reduced(height) * reduction.rawValue
    guard max(width, height) <= 65_500 else { return nil }
    return try? PixelSize(width: width, height: height)
  }
}
