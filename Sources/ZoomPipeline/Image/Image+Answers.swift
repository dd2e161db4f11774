internal import CVips
internal import SystemPackage
package import ZoomGeometry

// A picture server needs these beside regions: scaled pixels of any kind, and a JPEG in memory.

extension Pixels {
  /// Returns the pixels scaled to a size, band by band, so that the edges coincide.
  ///
  /// Lanczos downwards, linear interpolation upwards; colours are weighted by their alpha.
  package func resampled(to size: PixelSize) throws(PipelineError) -> Pixels {
    if size == self.size { return self }
    precondition(format == .uint8, "samples of 8 bits")
    let hasAlpha = bands == 2 || bands == 4
    var image = try Image(self)
    if hasAlpha { image = try unsafe image.producing("premultiply", cvips_premultiply) }
    let across = Double(size.width) / Double(self.size.width)
    let down = Double(size.height) / Double(self.size.height)
    if across < 1 || down < 1 {
      image = try unsafe image.producing("reduce") { pointer in
        unsafe cvips_resize(pointer, min(across, 1), min(down, 1))
      }
    }
    if across > 1 || down > 1 {
      let (wide, high) = (max(across, 1), max(down, 1))
      image = try image.mapped(
        by: Affine(a: wide, b: 0, c: 0, d: high, tx: (wide - 1) / 2, ty: (high - 1) / 2), to: size)
    }
    if hasAlpha {
      image = try unsafe image.producing("unpremultiply", cvips_unpremultiply_uchar)
    }
    let scaled = try image.read(PixelRegion(whole: size))
    return Pixels(
      size: size, bands: bands, format: .uint8, interpretation: interpretation, bytes: scaled.bytes)
  }

  /// Encodes a part as a JPEG with chroma at half size in both directions.
  package func jpegBytes(of part: PixelRegion, quality: Int) throws(PipelineError) -> [UInt8] {
    try Image.withoutCopying(self) { image throws(PipelineError) in
      try unsafe image.producing("cut") { pointer in
        unsafe cvips_crop(
          pointer, Int32(part.x), Int32(part.y), Int32(part.width), Int32(part.height))
      }.jpegBytes(quality: quality, subsampled: true)
    }
  }
}

extension Image {
  /// Encodes the image as a JPEG, with chroma at full size or at half of it in both directions.
  package func jpegBytes(quality: Int, subsampled: Bool = false) throws(PipelineError) -> [UInt8] {
    var length = 0
    let start = unsafe withPointer { pointer in
      unsafe cvips_jpegsave_buffer(
        pointer, &length, Int32(quality),
        subsampled ? VIPS_FOREIGN_SUBSAMPLE_ON : VIPS_FOREIGN_SUBSAMPLE_OFF)
    }
    guard let start = unsafe start else {
      throw PipelineError.vips(.fault, operation: "encode", file: nil)
    }
    defer { unsafe g_free(start) }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: length))
  }
}
