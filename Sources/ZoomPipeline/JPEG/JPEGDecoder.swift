package import CJPEG
internal import SystemPackage
internal import ZoomGeometry

/// Decodes parts of JPEGs with libjpeg-turbo itself, where its answer is known to be libvips' own.
///
/// libvips decodes JPEGs with the same library, so pixels are equal as long as both ask for the same
/// inverse DCT, upsampling and colours. What this leaves out is libvips' machinery around it, which
/// takes longer than the decoding of a small region.
struct JPEGDecoder {
  /// Samples a pixel that the picture is to have, of 8 bits each.
  let bands: Int
  let interpretation: ColourInterpretation
  /// What errors name.
  let file: FilePath

  /// Nil unless libvips gives these bands for a JPEG whose colours mean the same to libjpeg.
  init?(bands: Int, interpretation: ColourInterpretation, file: FilePath) {
    switch bands {
    case 1 where interpretation == .grey, 3 where interpretation == .srgb,
      4 where interpretation == .cmyk:
      break
    default: return nil
    }
    self.bands = bands
    self.interpretation = interpretation
    self.file = file
  }

  /// Nil for a picture with other colours than grey, RGB or CMYK of 8 bits.
  init?(_ picture: Picture) {
    guard picture.format == .uint8 else { return nil }
    self.init(
      bands: picture.bands, interpretation: picture.interpretation, file: picture.path)
  }

  /// Decodes a region, in pixels of the reduced picture, of a JPEG that stands in memory.
  ///
  /// - Returns: nil where libjpeg-turbo fails or warns, and for colours that libvips may give otherwise:
  ///   libvips then has to decode the same bytes, or to say what is wrong.
  /// - Throws: `outside` when the region is not inside the decoded picture, `fault` without memory.
  func decode(
    _ encoded: [UInt8], _ region: PixelRegion, _ reduction: Reduction
  ) throws(PipelineError) -> Pixels? {
    let part = try rectangle(region)
    return try unsafe pixels(region) { target in
      unsafe decode(encoded, part, reduction, into: target)
    }
  }

  /// Decodes as above into memory of the caller's, which has room for just the region.
  /// - Returns: whether it was written; if not, what is in `target` means nothing.
  func decode(
    _ encoded: [UInt8], _ region: PixelRegion, _ reduction: Reduction,
    into target: UnsafeMutableBufferPointer<UInt8>
  ) throws(PipelineError) -> Bool {
    precondition(target.count == region.area * bands)
    let part = try rectangle(region)
    return try unsafe decode(encoded, part, reduction, into: target.baseAddress)
      .hasPixels(region, file)
  }

  private func decode(
    _ encoded: [UInt8], _ part: cjpeg_rectangle, _ reduction: Reduction,
    into target: UnsafeMutablePointer<UInt8>?
  ) -> LibJPEGOutcome {
    unsafe encoded.withUnsafeBufferPointer { source in
      unsafe LibJPEGOutcome { message in
        unsafe cjpeg_decode(
          source.baseAddress, source.count, Int32(reduction.rawValue), part, Int32(bands),
          target, message)
      }
    }
  }

  /// What a decode from the top of an open file went through.
  struct Reach {
    let bytesRead: Int
    /// The MCU rows that were decoded, not only passed over; they may end below the picture.
    let mcuRows: Range<Int>
    /// The columns of pixels that were inverse transformed, in the reduced picture.
    let columns: Range<Int>
  }

  /// Decodes a region, in pixels of the reduced picture, of a file of one scan, passing over the rows
  /// above it.
  /// - Returns: nil as `decode` does.
  func read(
    _ open: FileReader, _ region: PixelRegion, _ reduction: Reduction
  ) throws(PipelineError) -> (pixels: Pixels, reach: Reach)? {
    let part = try rectangle(region)
    var reach = cjpeg_reach()
    let pixels = try unsafe pixels(region) { target in
      open.withDescriptor { descriptor in
        unsafe LibJPEGOutcome { message in
          unsafe cjpeg_read_region(
            descriptor, Int32(reduction.rawValue), part, Int32(bands), target, &reach, message)
        }
      }
    }
    return pixels.map { pixels in
      (
        pixels,
        Reach(
          bytesRead: Int(reach.bytes_read),
          mcuRows: Int(reach.first_row)..<Int(reach.end_row),
          columns: Int(reach.first_column)..<Int(reach.end_column))
      )
    }
  }

  /// Has a region's pixels written by a call of libjpeg-turbo.
  private func pixels(
    _ region: PixelRegion, _ call: (UnsafeMutablePointer<UInt8>?) -> LibJPEGOutcome
  ) throws(PipelineError) -> Pixels? {
    let count = region.area * bands
    var outcome = LibJPEGOutcome()
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      outcome = unsafe call(buffer.baseAddress)
      initialized = outcome.status == CJPEG_OK ? count : 0
    }
    guard try outcome.hasPixels(region, file) else { return nil }
    return Pixels(
      size: region.size, bands: bands, format: .uint8, interpretation: interpretation, bytes: bytes)
  }

  /// The region for C; its far edges are checked there, where the decoded size is known.
  private func rectangle(_ region: PixelRegion) throws(PipelineError) -> cjpeg_rectangle {
    guard let left = UInt32(exactly: region.x), let top = UInt32(exactly: region.y),
      let width = UInt32(exactly: region.width), let height = UInt32(exactly: region.height)
    else { throw .outsideJPEG(region, file) }
    return cjpeg_rectangle(left: left, top: top, width: width, height: height)
  }
}

/// How a call of libjpeg-turbo ended.
package struct LibJPEGOutcome {
  package private(set) var status = CJPEG_OK
  /// libjpeg's words, in one line; empty after success.
  package private(set) var message = ""

  init() {}

  /// Makes a call, which gets the buffer for the message and gives the status.
  package init(_ call: (UnsafeMutablePointer<CChar>) -> cjpeg_status) {
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
  /// The size to tell a JPEG's decoder so that it reduces parts of blocks at the edges too; nil when a
  /// side is then longer than libjpeg's largest.
  ///
  /// libvips leaves out what is not a whole block (8.14: 199 pixels reduced by two are 99). The MCUs
  /// of a JPEG hold whole blocks always, so with its sides rounded up to blocks they stay as many,
  /// libjpeg decodes the same, and libvips has nothing to leave out.
  func ofWholeJPEGBlocks(_ reduction: Reduction) -> PixelSize? {
    let width = reduction.reduced(width) * reduction.rawValue
    let height = reduction.reduced(height) * reduction.rawValue
    guard max(width, height) <= JPEGMetadata.largestSide else { return nil }
    return try? PixelSize(width: width, height: height)
  }
}
