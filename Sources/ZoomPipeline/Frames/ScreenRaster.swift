internal import CVips
internal import ZoomGeometry

/// Pixels as a screen shows them, at a fixed address: 8-bit sRGB, three bytes each, no padding.
///
/// Written by whoever makes it and only read once it is shared.
final class ScreenRaster: Sendable {
  /// Bytes a pixel.
  static let bands = 3

  let size: PixelSize
  let bytes: FixedBytes

  /// Takes memory and leaves it to the caller to write all of it.
  init(uninitialized size: PixelSize) {
    self.size = size
    bytes = FixedBytes(uninitializedCount: size.area * Self.bands)
  }

  /// Copies pixels, converted for the screen if they must be.
  /// - Throws: `PipelineError` when libvips cannot convert them.
  convenience init(_ pixels: Pixels) throws(PipelineError) {
    let shown = try pixels.forScreen()
    self.init(uninitialized: shown.size)
    unsafe shown.bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: bytes.start, count: bytes.count)
        .copyMemory(from: source)
    }
  }

  var byteCount: Int { bytes.count }

  /// The bytes of a row, from a column on.
  func row(_ row: Int, from column: Int) -> UnsafePointer<UInt8> {
    unsafe UnsafePointer(
      bytes.start.assumingMemoryBound(to: UInt8.self) + (row * size.width + column) * Self.bands)
  }

  /// An image of these very bytes, which keeps them alive.
  func image() throws(PipelineError) -> Image {
    VipsLibrary.start
    let made = unsafe vips_image_new_from_memory(
      bytes.start, bytes.count, Int32(size.width), Int32(size.height), Int32(Self.bands),
      VIPS_FORMAT_UCHAR)
    guard let made = unsafe made else {
      throw PipelineError.vips(.fault, operation: "make an image", file: nil)
    }
    return try unsafe Image(owning: made, origin: bytes).producing("name the colours") { pointer in
      unsafe cvips_copy_interpretation(pointer, VIPS_INTERPRETATION_sRGB)
    }
  }

  /// Writes all rows of an image of this size, bands of them side by side on the cores.
  func fill(from image: Image) throws(PipelineError) {
    try RowBands(of: size).forEach { rows throws(PipelineError) in
      let part = try image.read(PixelRegion(whole: size).rows(rows))
      unsafe part.bytes.withUnsafeBytes { source in
        unsafe UnsafeMutableRawBufferPointer(
          start: bytes.start + rows.lowerBound * size.width * Self.bands, count: source.count
        ).copyMemory(from: source)
      }
    }
  }
}
