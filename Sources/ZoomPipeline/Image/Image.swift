internal import CVips
internal import SystemPackage
public import ZoomGeometry

/// An image of libvips: a recipe for pixels, which are computed when they are read.
///
/// libvips' images may be read from several threads at once (its documentation, "Using VIPS with
/// threads"), and this class does not change one: hence `@unchecked Sendable`.
@safe public final class Image: @unchecked Sendable {
  private let pointer: UnsafeMutablePointer<VipsImage>
  /// The object that the image reads from and libvips does not own, such as encoded bytes.
  private let origin: (any Sendable)?

  init(owning pointer: UnsafeMutablePointer<VipsImage>, origin: (any Sendable)? = nil) {
    unsafe self.pointer = unsafe pointer
    self.origin = origin
  }

  deinit { unsafe cvips_unref(pointer) }

  /// Calls the body with the C image and keeps the Swift object alive meanwhile.
  func withPointer<Result, Failure: Error>(
    _ body: (UnsafeMutablePointer<VipsImage>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { extendLifetime(self) }
    return try unsafe body(pointer)
  }

  func producing(
    _ operation: String,
    _ body: (UnsafeMutablePointer<VipsImage>) -> UnsafeMutablePointer<VipsImage>?
  ) throws(PipelineError) -> Image {
    let made = unsafe withPointer { pointer in unsafe body(pointer) }
    guard let made = unsafe made else {
      throw PipelineError.vips(.fault, operation: operation, file: nil)
    }
    return unsafe Image(owning: made, origin: self)
  }

  /// Calls the body with the embedded ICC profile; returns nil if there is none.
  func withProfile<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    unsafe withPointer { pointer in
      var start: UnsafeRawPointer?
      var count = 0
      guard unsafe vips_image_get_typeof(pointer, VIPS_META_ICC_NAME) != 0,
        unsafe vips_image_get_blob(pointer, VIPS_META_ICC_NAME, &start, &count) == 0
      else { return nil }
      return unsafe body(UnsafeRawBufferPointer(start: start, count: count))
    }
  }

  /// Bytes read so far of the file that the image was opened from; nil for other images.
  var bytesRead: Int? { (origin as? FileSource)?.bytesRead }

  /// The size in pixels, as stored.
  public var size: PixelSize {
    get throws(PipelineError) {
      let (width, height) = unsafe withPointer { pointer in
        unsafe (vips_image_get_width(pointer), vips_image_get_height(pointer))
      }
      do {
        return try PixelSize(width: Int(width), height: Int(height))
      } catch {
        throw PipelineError(.fault, operation: "size", file: nil, reason: "\(error)")
      }
    }
  }

  /// Samples per pixel.
  public var bands: Int {
    Int(unsafe withPointer { pointer in unsafe vips_image_get_bands(pointer) })
  }

  /// The data type of a sample.
  public var format: SampleFormat {
    get throws(PipelineError) {
      let raw = unsafe withPointer { pointer in unsafe vips_image_get_format(pointer) }
      guard let format = SampleFormat(raw) else {
        throw PipelineError(
          .unsupported, operation: "sample format", file: nil,
          reason: "libvips format \(raw.rawValue) is unknown")
      }
      return format
    }
  }

  /// The meaning of the bands.
  public var interpretation: ColourInterpretation {
    let raw = unsafe withPointer { pointer in unsafe vips_image_get_interpretation(pointer) }
    return unsafe ColourInterpretation(
      rawValue: String(cString: vips_enum_nick(vips_interpretation_get_type(), raw.rawValue)))
  }
}

/// Bytes at a fixed address, which libvips reads as long as an image made from them exists.
///
/// They are only read: hence `@unchecked Sendable`.
@safe final class FixedBytes: @unchecked Sendable {
  let start: UnsafeMutableRawPointer
  let count: Int

  init(_ bytes: [UInt8]) {
    count = bytes.count
    // At least one byte, so that there is an address; an alignment of 16 suits vector instructions.
    unsafe start = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 16)
    unsafe bytes.withUnsafeBytes { source in
      if let base = source.baseAddress {
        unsafe start.copyMemory(from: base, byteCount: count)
      }
    }
  }

  deinit { unsafe start.deallocate() }
}
