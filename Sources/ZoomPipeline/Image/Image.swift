internal import CVips
internal import SystemPackage
public import ZoomGeometry

/// An image as libvips holds it: a recipe for pixels, computed when they are read.
///
/// libvips' images are immutable and may be read from several threads at once (its documentation,
/// "Using VIPS with threads"), and nothing here changes one in place: hence `@unchecked Sendable`.
@safe public final class Image: @unchecked Sendable {
  private let pointer: UnsafeMutablePointer<VipsImage>
  /// What the image reads from, such as encoded bytes or another image, and libvips does not own.
  private let origin: (any Sendable)?

  /// Takes over one reference to `pointer`.
  init(owning pointer: UnsafeMutablePointer<VipsImage>, origin: (any Sendable)? = nil) {
    unsafe self.pointer = unsafe pointer
    self.origin = origin
  }

  deinit { unsafe cvips_unref(pointer) }

  /// Lends the C image; a bare pointer property would outlive a temporary `Image`.
  func withPointer<Result, Failure: Error>(
    _ body: (UnsafeMutablePointer<VipsImage>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { extendLifetime(self) }
    return try unsafe body(pointer)
  }

  /// The one way from an image to the next: runs an operation and checks its answer.
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

  /// Bytes read so far from the file that the image was opened from; nil for others.
  var bytesRead: Int? { (origin as? FileSource)?.bytesRead }

  /// Width and height in pixels, as stored.
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

  /// Samples a pixel.
  public var bands: Int {
    Int(unsafe withPointer { pointer in unsafe vips_image_get_bands(pointer) })
  }

  /// How a sample is stored.
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

  /// What the bands mean.
  public var interpretation: ColourInterpretation {
    let raw = unsafe withPointer { pointer in unsafe vips_image_get_interpretation(pointer) }
    return unsafe ColourInterpretation(
      rawValue: String(cString: vips_enum_nick(vips_interpretation_get_type(), raw.rawValue)))
  }
}

/// Bytes at a fixed address, which libvips reads as long as an image made of them lives.
///
/// Written by whoever makes them, before they are shared, and only read afterwards: hence
/// `@unchecked Sendable`.
@safe final class FixedBytes: @unchecked Sendable {
  let start: UnsafeMutableRawPointer
  let count: Int

  /// Takes memory and leaves it to the caller to write all of it.
  init(uninitializedCount count: Int) {
    self.count = count
    // At least one byte, so that there is an address; 16 suits every vector instruction.
    unsafe start = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 16)
  }

  convenience init(_ bytes: [UInt8]) {
    self.init(uninitializedCount: bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      if let base = source.baseAddress {
        unsafe start.copyMemory(from: base, byteCount: count)
      }
    }
  }

  deinit { unsafe start.deallocate() }
}
