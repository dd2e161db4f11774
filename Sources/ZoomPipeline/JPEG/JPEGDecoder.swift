package import CJPEG
internal import SystemPackage
internal import ZoomGeometry

/// A decoder of parts of JPEGs that calls libjpeg-turbo where libvips gives the same pixels.
///
/// libvips uses the same library, so the pixels are equal if the inverse DCT, upsampling and colour
/// conversion are the same. Its overhead takes longer than decoding a small region.
struct JPEGDecoder {
  let bands: Int
  let interpretation: ColourInterpretation
  let file: FilePath

  private static let colours: [Int: ColourInterpretation] = [1: .grey, 3: .srgb, 4: .cmyk]

  /// Creates a decoder; nil unless libjpeg has the same bands and colours for a JPEG as libvips.
  init?(bands: Int, interpretation: ColourInterpretation, file: FilePath) {
    guard Self.colours[bands] == interpretation else { return nil }
    self.bands = bands
    self.interpretation = interpretation
    self.file = file
  }

  /// Creates a decoder; nil for a picture with colours other than grey, RGB or CMYK of 8 bits.
  init?(_ picture: Picture) {
    guard picture.format == .uint8 else { return nil }
    self.init(
      bands: picture.bands, interpretation: picture.interpretation, file: picture.path)
  }

  /// Decodes a region, in pixels of the reduced picture, of a JPEG in memory.
  /// - Returns: The pixels; nil if libjpeg-turbo fails or warns, or the colours may differ from
  ///   libvips'. Then libvips must decode the same bytes, or report the error.
  /// - Throws: `outside` if the region is not inside the decoded picture, `fault` if memory is low.
  func decode(
    _ encoded: [UInt8], _ region: PixelRegion, _ reduction: Reduction
  ) throws(PipelineError) -> Pixels? {
    let count = region.area * bands
    var isDone = false
    let bytes = try unsafe [UInt8](writing: count) { buffer throws(PipelineError) in
      isDone = try unsafe decode(encoded, region, reduction, into: buffer)
      return isDone ? count : 0
    }
    guard isDone else { return nil }
    return Pixels(
      size: region.size, bands: bands, format: .uint8, interpretation: interpretation, bytes: bytes)
  }

  /// Decodes as above into memory of exactly the region's size.
  /// - Returns: Whether it was written; if not, the contents of `target` are undefined.
  func decode(
    _ encoded: [UInt8], _ region: PixelRegion, _ reduction: Reduction,
    into target: UnsafeMutableBufferPointer<UInt8>
  ) throws(PipelineError) -> Bool {
    precondition(target.count == region.area * bands)
    // The C code, which knows the size, checks the region's far edges.
    if let left = UInt32(exactly: region.x), let top = UInt32(exactly: region.y),
      let width = UInt32(exactly: region.width), let height = UInt32(exactly: region.height)
    {
      let part = cjpeg_rectangle(left: left, top: top, width: width, height: height)
      let outcome = unsafe LibJPEGOutcome { message in
        unsafe encoded.withUnsafeBufferPointer { source in
          unsafe cjpeg_decode(
            source.baseAddress, source.count, Int32(reduction.rawValue), part, Int32(bands),
            target.baseAddress, message)
        }
      }
      switch outcome.status {
      case CJPEG_OK: return true
      case CJPEG_OUTSIDE: break
      case CJPEG_TOO_LARGE:
        throw PipelineError(.fault, operation: "decode", file: file, reason: outcome.message)
      default: return false
      }
    }
    throw PipelineError(
      .outside, operation: "decode", file: file,
      reason: "region \(region) is not inside the decoded JPEG",
      advice: "clamp the region to the picture first")
  }
}

/// The outcome of a call of libjpeg-turbo.
package struct LibJPEGOutcome {
  package let status: cjpeg_status
  /// The message of libjpeg, in one line; empty after success.
  package let message: String

  /// Makes a call that takes a buffer for the message and returns a status.
  package init(_ call: (UnsafeMutablePointer<CChar>) -> cjpeg_status) {
    // Every call writes at least the first byte.
    (status, message) = unsafe withUnsafeTemporaryAllocation(
      of: CChar.self, capacity: Int(CJPEG_MESSAGE_SIZE)
    ) { buffer in
      guard let start = buffer.baseAddress else { return (CJPEG_TOO_LARGE, "") }
      let status = unsafe call(start)
      return unsafe (status, status == CJPEG_OK ? "" : String(cString: start))
    }
  }
}

extension PixelSize {
  /// The size for a JPEG's headers with which decoders reduce partial blocks at the edges too.
  ///
  /// The result is nil if a side exceeds libjpeg's maximum. libvips drops partial blocks (8.14: 199
  /// pixels reduced by two are 99). The MCUs of a JPEG always hold whole blocks. So with width and
  /// height rounded up to blocks, libjpeg decodes the same MCUs, and libvips drops nothing.
  func ofWholeJPEGBlocks(_ reduction: Reduction) -> PixelSize? {
    let width = reduction.reduced(width) * reduction.rawValue
    let height = reduction.reduced(height) * reduction.rawValue
    guard max(width, height) <= JPEGMetadata.largestSide else { return nil }
    return try? PixelSize(width: width, height: height)
  }
}
